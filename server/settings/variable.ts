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

/** An environment variable: its schema, and its row in docs/configuration.md. */
export type Variable = {
  /**
   * Parses the text; an optional variable uses `optional`, with its default as text. Error messages
   * continue a sentence that begins with the name: "must be a whole number from 0 to 10".
   */
  schema: GenericSchema;
  /** shown in docs/configuration.md in place of a default that depends on other values */
  defaultDescription?: string;
  /** an earlier name, which still works; a warning names both */
  formerName?: string;
  /** whether the value never appears in an error */
  isSecret?: true;
  /** description for docs/configuration.md, in Markdown; links are relative to docs/ */
  description: string;
};

export type Variables = Readonly<Record<string, Variable>>;

type Entries<Table extends Variables> = { [Name in keyof Table]: Table[Name]['schema'] };

/** The values of a table of variables. */
export type Values<Table extends Variables> = InferOutput<ObjectSchema<Entries<Table>, undefined>>;

/** A single schema for all variables of a table. */
export const createSchema = <Table extends Variables>(table: Table): ObjectSchema<Entries<Table>, undefined> =>
  object(Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])) as Entries<Table>);

export const isOptional = ({ schema }: Variable): boolean => schema.type === 'optional';

/** The default as text; undefined where there is no default. */
export const getDefaultText = ({ schema }: Variable): string | undefined => {
  const text: unknown = getDefault(schema);
  return typeof text === 'string' ? text : undefined;
};

export const text = string();

export const wholeNumber = (min: number, max: number) =>
  pipe(
    string(),
    transform(Number),
    check((value) => Number.isInteger(value) && value >= min && value <= max, `must be a whole number from ${min} to ${max}`),
  );

/** "on, off or always" */
export const formatChoices = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].join(' or ');

export const oneOf = <const Words extends readonly string[]>(words: Words) => picklist(words, `must be ${formatChoices(words)}`);

/** @param message continues the sentence: "must begin with postgres://" */
export const matching = (pattern: RegExp, message: string) => pipe(string(), regex(pattern, message));

/** Minimum characters of a secret. */
const MIN_SECRET_CHARS = 16;

export const secret = pipe(string(), minLength(MIN_SECRET_CHARS, `must have at least ${MIN_SECRET_CHARS} characters`));

export const emailAddress = pipe(string(), check(isEmail, 'must be an e-mail address'));

/** @param example an address for the end of the error message */
export const urlOf = (protocols: readonly string[], example: string) =>
  pipe(
    string(),
    check((value) => {
      const url = URL.parse(value);
      return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
    }, `must be like ${example}`),
  );

/** An http(s) origin and nothing more: it becomes part of the content policy of pages. */
export const origin = pipe(
  string(),
  check((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:/.test(value) && url.origin === value.replace(/\/$/, '');
  }, 'must be like https://books.example'),
  transform((value) => new URL(value).origin),
);
