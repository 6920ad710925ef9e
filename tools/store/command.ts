import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { BadOperation } from '../../server/kernel/bad-operation.ts';
import type { Row } from '../../server/admin/given.ts';
import { readAmounts } from '../../server/importing/amounts.ts';
import { BadSetting } from '../../server/settings/bad-setting.ts';
import { misspeltVariables } from '../../server/settings/read-variables.ts';
import { shopVariables } from '../../server/settings/shop-variables.ts';
import { UsageError } from '../process/command-line.ts';
import { readCommandLine, type ImportOptions, type StoreCommand } from './arguments.ts';
import { importFolder } from './import/import-folder.ts';
import { pricesIn, readOnix } from './import/onix.ts';
import { readTerms, type TermsFor } from './import/prices.ts';
import { reachShop } from './reach-shop.ts';

export type Surroundings = {
  environment: NodeJS.ProcessEnv;
  /** The project's folder, which a relative DATA_DIR starts from. */
  root: string;
  /** The folder that a relative --out starts from. */
  folder: string;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether somebody watches what goes to `err`. */
  isTerminal?: boolean;
};

const csvField = (value: string | number | null): string => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvLine = (values: readonly (string | number | null)[]): string => `${values.map(csvField).join(',')}\n`;

/** Writes lines of a table, with the names of its columns before the first one. */
function writer({ out }: Surroundings, json: boolean) {
  let isFirst = true;
  return (rows: readonly Row[]): void => {
    const text = rows.map((row) => {
      if (json) return `${JSON.stringify(row)}\n`;
      const head = isFirst ? csvLine(Object.keys(row)) : '';
      isFirst = false;
      return head + csvLine(Object.values(row));
    });
    if (text.length > 0) out(text.join(''));
  };
}

/** A new file for the lines, made before anything is done: what was done is not lost for want of a place. @throws BadOperation */
function fileFor(name: string, { folder }: Surroundings): { write: (text: string) => void; drop: () => void } {
  const path = resolve(folder, name);
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && Reflect.get(error, 'code') === 'EEXIST';
    throw new BadOperation(isThere ? `${path} is there already. Name another file.` : `${path} cannot be written.`);
  }
  return { write: (text) => appendFileSync(path, text), drop: () => rmSync(path, { force: true }) };
}

async function follow(command: StoreCommand, around: Surroundings): Promise<void> {
  if (command.out === undefined) return followInto(command, around);
  const file = fileFor(command.out, around);
  let isEmpty = true;
  const out = (text: string): void => {
    file.write(text);
    isEmpty = false;
  };
  try {
    await followInto(command, { ...around, out });
  } finally {
    if (isEmpty) file.drop();
  }
}

/** What holds for titles that are imported: what a table says of one, before ONIX, before what is said of all. */
async function termsOf({ price, prices, onix, categories }: ImportOptions, { folder, err }: Surroundings): Promise<TermsFor> {
  const of: TermsFor = prices === undefined ? () => ({}) : await readTerms(resolve(folder, prices));
  const messages = onix === undefined ? undefined : await readOnix(resolve(folder, onix));
  if (messages)
    err(
      `ONIX: ${messages.count} product${messages.count === 1 ? '' : 's'}${messages.broken === 0 ? '' : `, ${messages.broken} that cannot be read`}.\n`,
    );
  const forAll = price === undefined ? {} : { prices: readAmounts(price, '--price') };
  return (title) => {
    const own = of(title);
    const product = messages?.find({ ...title, reference: parse(title.path).name });
    const { reference: _reference, pricesText: _pricesText, ...told } = product ?? { reference: '', pricesText: '' };
    // The table goes before ONIX, whose price may then be any.
    const prices = product === undefined || own.prices !== undefined ? {} : pricesIn(product);
    const filed = [...categories, ...(own.categories ?? [])];
    return { ...forAll, ...told, ...prices, ...own, ...(filed.length === 0 ? {} : { categories: filed }) };
  };
}

/** @throws BadOperation for a file that is no JSON object */
function propertiesOf(name: string, { folder }: Surroundings): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(resolve(folder, name), 'utf8'));
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  } catch {
    // As any other file that is none.
  }
  throw new BadOperation(`The file ${name} must be a JSON object with properties, like {"ShelfColor": "#7a2e4d"}.`);
}

/** The command with the properties of its file. @throws BadOperation */
function withFile(command: StoreCommand, around: Surroundings): StoreCommand {
  if (command.file === undefined) return command;
  const properties = { ...propertiesOf(command.file, around), ...(command.given['properties'] as Record<string, unknown>) };
  return { ...command, given: { ...command.given, properties } };
}

async function followInto(read: StoreCommand, around: Surroundings): Promise<void> {
  const command = withFile(read, around);
  const terms = command.imports && (await termsOf(command.imports, around));
  for (const warning of misspeltVariables(shopVariables, around.environment)) around.err(`${warning}\n`);
  const shop = await reachShop(around.environment, around.root, command.shop);
  const write = writer(around, command.json);
  try {
    if (command.imports && terms) {
      // Lines for each title are for programs and files; people watch how far it has come.
      const rows = command.json || command.out !== undefined ? write : () => {};
      const folder = resolve(around.folder, command.imports.folder);
      const says = { rows, err: around.err, isTerminal: around.isTerminal === true };
      return await importFolder(
        shop,
        { folder, given: command.given, termsFor: terms, bySubject: command.imports.bySubject },
        says,
      );
    }
    let after: string | undefined;
    do {
      const told = await shop.operate(command.name, { ...command.given, ...(after === undefined ? {} : { after }) });
      write(told.rows);
      if (told.says !== undefined) around.err(`${told.says}\n`);
      after = told.next;
    } while (after !== undefined);
  } finally {
    await shop.close();
  }
}

/** What the operator can mend; anything else is a fault of ours, and is told whole. */
const isKnown = (error: unknown): error is Error => error instanceof BadOperation || error instanceof BadSetting;

/** Does what the command line asks for. @returns the exit code */
export async function storeCommand(args: readonly string[], around: Surroundings): Promise<0 | 1 | 2> {
  try {
    const command = readCommandLine(args);
    if ('help' in command) around.out(command.help);
    else await follow(command, around);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      around.err(`${error.message}\nnpm run store -- --help lists the commands.\n`);
      return 2;
    }
    const isUnreachable = error instanceof Error && Reflect.get(error, 'code') === 'ECONNREFUSED';
    if (isKnown(error)) around.err(`${error.message}\n`);
    else if (isUnreachable) around.err('The database of DATABASE_URL cannot be reached.\n');
    else around.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}
