import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { broken, holds, type Outcome } from './step.ts';

const document = 'openapi.yaml';
const types = 'src/client/wire/schema.gen.ts';

async function generated(root: string): Promise<string> {
  return COMMENT_HEADER + astToString(await openapiTS(pathToFileURL(join(root, document)), { silent: true }));
}

function firstDifference(wanted: string, found: string): string {
  const foundLines = found.split('\n');
  const wantedLines = wanted.split('\n');
  const at = wantedLines.findIndex((line, index) => line !== foundLines[index]);
  const line = at < 0 ? wantedLines.length : at;
  return `line ${line + 1}: expected ${wantedLines[line]?.trim() ?? 'the end'}, found ${foundLines[line]?.trim() ?? 'the end'}`;
}

/** Fails when the committed types are not exactly what the contract makes. */
export async function checkContract(root: string): Promise<Outcome> {
  const wanted = await generated(root);
  const found = await readFile(join(root, types), 'utf8').catch(() => '');
  if (found === wanted) return holds(`${types} is what ${document} makes`);
  return broken(`${types} is not what ${document} makes (${firstDifference(wanted, found)}): npm run contract`);
}

if (import.meta.main) {
  await writeFile(join(process.cwd(), types), await generated(process.cwd()));
  console.log(`wrote ${types}`);
}
