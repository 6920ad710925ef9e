import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parse, resolve } from 'node:path';
import { BadOperation } from '../../server/kernel/bad-operation.ts';
import type { Row } from '../../server/admin/operation-input.ts';
import { readAmounts } from '../../server/importing/amounts.ts';
import { BadSetting } from '../../server/settings/bad-setting.ts';
import { findMisspeltVariables } from '../../server/settings/read-variables.ts';
import { shopVariables } from '../../server/settings/shop-variables.ts';
import { UsageError } from '../process/command-line.ts';
import { readCommandLine, type ImportOptions, type StoreCommand } from './arguments.ts';
import { importFolder } from './import/import-folder.ts';
import { parsePrices, readOnix } from './import/onix.ts';
import { readTerms, type TermsLookup } from './import/prices.ts';
import { connectToShop } from './reach-shop.ts';

export type CommandContext = {
  environment: NodeJS.ProcessEnv;
  /** The project's folder, against which a relative DATA_DIR is resolved. */
  root: string;
  /** The folder against which a relative --out is resolved. */
  folder: string;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether `err` is a terminal. */
  isTerminal?: boolean;
};

const formatCsvField = (value: string | number | null): string => {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const formatCsvLine = (values: readonly (string | number | null)[]): string => `${values.map(formatCsvField).join(',')}\n`;

/** Writes rows as CSV, with the column names before the first one, or as lines of JSON. */
function createRowWriter({ out }: CommandContext, json: boolean) {
  let isFirst = true;
  return (rows: readonly Row[]): void => {
    const text = rows.map((row) => {
      if (json) return `${JSON.stringify(row)}\n`;
      const header = isFirst ? formatCsvLine(Object.keys(row)) : '';
      isFirst = false;
      return header + formatCsvLine(Object.values(row));
    });
    if (text.length > 0) out(text.join(''));
  };
}

/**
 * Creates the output file before the operation runs, so that no result is lost because it cannot be
 * written.
 * @throws BadOperation
 */
function openFile(name: string, { folder }: CommandContext): { write: (text: string) => void; drop: () => void } {
  const path = resolve(folder, name);
  try {
    writeFileSync(path, '', { flag: 'wx' });
  } catch (error) {
    const exists = error instanceof Error && Reflect.get(error, 'code') === 'EEXIST';
    throw new BadOperation(exists ? `${path} already exists. Name another file.` : `${path} cannot be written.`);
  }
  return { write: (text) => appendFileSync(path, text), drop: () => rmSync(path, { force: true }) };
}

async function runToOutput(command: StoreCommand, context: CommandContext): Promise<void> {
  if (command.out === undefined) return runCommand(command, context);
  const file = openFile(command.out, context);
  let isEmpty = true;
  const out = (text: string): void => {
    file.write(text);
    isEmpty = false;
  };
  try {
    await runCommand(command, { ...context, out });
  } finally {
    if (isEmpty) file.drop();
  }
}

/**
 * Terms of imported titles by precedence: the price table, then ONIX, then the options for all
 * titles.
 */
async function loadTerms(
  { price, prices, onix, categories }: ImportOptions,
  { folder, err }: CommandContext,
): Promise<TermsLookup> {
  const findTableTerms: TermsLookup = prices === undefined ? () => ({}) : await readTerms(resolve(folder, prices));
  const messages = onix === undefined ? undefined : await readOnix(resolve(folder, onix));
  if (messages)
    err(
      `ONIX: ${messages.count} product${messages.count === 1 ? '' : 's'}${messages.broken === 0 ? '' : `, ${messages.broken} unreadable`}.\n`,
    );
  const commonTerms = price === undefined ? {} : { prices: readAmounts(price, '--price') };
  return (title) => {
    const tableTerms = findTableTerms(title);
    const product = messages?.find({ ...title, reference: parse(title.path).name });
    const { reference: _reference, pricesText: _pricesText, ...onixTerms } = product ?? { reference: '', pricesText: '' };
    // A price in the table overrides ONIX, whose price is then not validated.
    const prices = product === undefined || tableTerms.prices !== undefined ? {} : parsePrices(product);
    const allCategories = [...categories, ...(tableTerms.categories ?? [])];
    return {
      ...commonTerms,
      ...onixTerms,
      ...prices,
      ...tableTerms,
      ...(allCategories.length === 0 ? {} : { categories: allCategories }),
    };
  };
}

/** @throws BadOperation for a file that is not a JSON object */
function readProperties(name: string, { folder }: CommandContext): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(resolve(folder, name), 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new BadOperation(`The file ${name} must be a JSON object with properties, like {"ShelfColor": "#7a2e4d"}.`);
}

/** Adds the properties of the command's file. @throws BadOperation */
function mergeFileProperties(command: StoreCommand, context: CommandContext): StoreCommand {
  if (command.file === undefined) return command;
  const properties = { ...readProperties(command.file, context), ...(command.input['properties'] as Record<string, unknown>) };
  return { ...command, input: { ...command.input, properties } };
}

async function runCommand(parsedCommand: StoreCommand, context: CommandContext): Promise<void> {
  const command = mergeFileProperties(parsedCommand, context);
  const terms = command.imports && (await loadTerms(command.imports, context));
  for (const warning of findMisspeltVariables(shopVariables, context.environment)) context.err(`${warning}\n`);
  const shop = await connectToShop(context.environment, context.root, command.shop);
  const write = createRowWriter(context, command.json);
  try {
    if (command.imports && terms) {
      // Rows per title are for programs and files; on a terminal there is a progress line.
      const rows = command.json || command.out !== undefined ? write : () => {};
      const folder = resolve(context.folder, command.imports.folder);
      const output = { rows, err: context.err, isTerminal: context.isTerminal === true };
      return await importFolder(
        shop,
        { folder, input: command.input, termsFor: terms, bySubject: command.imports.bySubject },
        output,
      );
    }
    let after: string | undefined;
    do {
      const result = await shop.operate(command.name, { ...command.input, ...(after === undefined ? {} : { after }) });
      write(result.rows);
      if (result.message !== undefined) context.err(`${result.message}\n`);
      after = result.next;
    } while (after !== undefined);
  } finally {
    await shop.close();
  }
}

/** Whether the operator can fix the error; any other one is a bug and is printed with its stack. */
const isExpectedError = (error: unknown): error is Error => error instanceof BadOperation || error instanceof BadSetting;

/** Runs the command line. @returns the exit code */
export async function runStoreCli(args: readonly string[], context: CommandContext): Promise<0 | 1 | 2> {
  try {
    const command = readCommandLine(args);
    if ('help' in command) context.out(command.help);
    else await runToOutput(command, context);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      context.err(`${error.message}\nnpm run store -- --help lists the commands.\n`);
      return 2;
    }
    const isUnreachable = error instanceof Error && Reflect.get(error, 'code') === 'ECONNREFUSED';
    if (isExpectedError(error)) context.err(`${error.message}\n`);
    else if (isUnreachable) context.err('The database of DATABASE_URL cannot be reached.\n');
    else context.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }
}
