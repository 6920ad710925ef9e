import {
  check,
  getDefault,
  minLength,
  object,
  picklist,
  pipe,
  regex,
  string,
  transform,
  type GenericSchema,
  type InferOutput,
  type ObjectSchema,
} from 'valibot';
import { isEmail } from '../../machines/model/account/email.ts';

/** A variable of the environment: its value, and its row in the README. */
export type Variable = {
  /**
   * Reads the text; one that may be left out is `optional`, with its default as text. Messages
   * continue a sentence that begins with the name: "must be a whole number from 0 to 10".
   */
  schema: GenericSchema;
  /** shown in the README in place of a default, for one that depends on other things */
  otherwise?: string;
  /** its value is never repeated in an error */
  isSecret?: true;
  /** for the README, in Markdown */
  says: string;
};

export type Variables = Readonly<Record<string, Variable>>;

type Entries<Table extends Variables> = { [Name in keyof Table]: Table[Name]['schema'] };

/** The values of a table of variables. */
export type Values<Table extends Variables> = InferOutput<ObjectSchema<Entries<Table>, undefined>>;

/** One schema for all variables of a table. */
export const schemaOf = <Table extends Variables>(table: Table): ObjectSchema<Entries<Table>, undefined> =>
  object(Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])) as Entries<Table>);

export const isOptional = ({ schema }: Variable): boolean => schema.type === 'optional';

/** The default as text; undefined where there is no default. */
export const defaultOf = ({ schema }: Variable): string | undefined => {
  const text: unknown = getDefault(schema);
  return typeof text === 'string' ? text : undefined;
};

export const text = string();

export const wholeNumber = (least: number, most: number) =>
  pipe(
    string(),
    transform(Number),
    check(
      (value) => Number.isInteger(value) && value >= least && value <= most,
      `must be a whole number from ${least} to ${most}`,
    ),
  );

/** "on, off or always" */
export const listed = (words: readonly string[]): string => [words.slice(0, -1).join(', '), ...words.slice(-1)].join(' or ');

export const oneOf = <const Words extends readonly string[]>(words: Words) => picklist(words, `must be ${listed(words)}`);

/** @param message continues the sentence: "must begin with postgres://" */
export const matching = (form: RegExp, message: string) => pipe(string(), regex(form, message));

/** Characters of a text that cannot be guessed. */
const SHORTEST_SECRET = 16;

export const secret = pipe(string(), minLength(SHORTEST_SECRET, `must have at least ${SHORTEST_SECRET} characters`));

export const emailAddress = pipe(string(), check(isEmail, 'must be an e-mail address'));

/** @param example of the address, which ends the error's sentence */
export const urlOf = (protocols: readonly string[], example: string) =>
  pipe(
    string(),
    check((value) => {
      const url = URL.parse(value);
      return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
    }, `must be like ${example}`),
  );

/** An http(s) origin and nothing more: it goes into the security policy of pages. */
export const origin = pipe(
  string(),
  check((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:/.test(value) && url.origin === value.replace(/\/$/, '');
  }, 'must be like https://books.example'),
  transform((value) => new URL(value).origin),
);
