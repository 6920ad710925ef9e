import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gatewayVariables } from '../../server/gateway/variables.ts';
import { defaultOf, isOptional, type Variable, type Variables } from '../../server/settings/variable.ts';
import { variables } from '../../server/setup/environment.ts';
import { broken, holds, type Outcome } from './step.ts';

const page = 'README.md';
/** Between them is the text that the tables of variables make. */
const [begin, end] = ['<!-- begin: settings, by `npm run settings` -->\n', '<!-- end: settings -->'] as const;

function defaultInTable(variable: Variable): string {
  if (variable.otherwise !== undefined) return variable.otherwise;
  if (!isOptional(variable)) return 'needed';
  const text = defaultOf(variable);
  return text === undefined ? 'none' : `\`${text}\``;
}

const tableOf = (table: Variables): string =>
  [
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...Object.entries(table).map(([name, variable]) => `| \`${name}\` | ${defaultInTable(variable)} | ${variable.says} |`),
  ].join('\n');

const made = `\n${tableOf(variables)}\n\n\`npm run gateway\` reads:\n\n${tableOf(gatewayVariables)}\n\n`;

/** The page with the tables as they should be; undefined for a page without their two marks. */
function corrected(text: string): string | undefined {
  const [before, rest, ...more] = text.split(begin);
  const after = rest?.split(end);
  if (before === undefined || more.length > 0 || after?.length !== 2) return undefined;
  return `${before}${begin}${made}${end}${after[1]}`;
}

/** Fails when the page's tables of settings are not exactly what the server reads. */
export async function checkSettings(root: string): Promise<Outcome> {
  const found = await readFile(join(root, page), 'utf8').catch(() => '');
  const wanted = corrected(found);
  if (wanted === undefined) return broken(`${page} must have the lines ${begin.trim()} and ${end} once`);
  if (wanted === found) return holds(`${page} has the settings that the server reads`);
  const lines = found.split('\n');
  const line = wanted.split('\n').find((each, at) => each !== lines[at]) ?? '';
  return broken(`${page} does not have the settings that the server reads (first: ${line}): npm run settings`);
}

if (import.meta.main) {
  const path = join(process.cwd(), page);
  const wanted = corrected(await readFile(path, 'utf8'));
  if (wanted === undefined) throw new Error(`${page} must have the lines ${begin.trim()} and ${end} once.`);
  await writeFile(path, wanted);
  console.log(`wrote the settings into ${page}`);
}
