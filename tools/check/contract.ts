import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { fail, pass, type Outcome } from './step.ts';

const CONTRACT_PATH = 'openapi.yaml';
const TYPES_PATH = 'src/client/wire/schema.gen.ts';

async function generateTypes(root: string): Promise<string> {
  return COMMENT_HEADER + astToString(await openapiTS(pathToFileURL(join(root, CONTRACT_PATH)), { silent: true }));
}

function findFirstDifference(wanted: string, found: string): string {
  const foundLines = found.split('\n');
  const wantedLines = wanted.split('\n');
  const at = wantedLines.findIndex((line, index) => line !== foundLines[index]);
  const line = at < 0 ? wantedLines.length : at;
  return `line ${line + 1}: expected ${wantedLines[line]?.trim() ?? 'the end'}, found ${foundLines[line]?.trim() ?? 'the end'}`;
}

/** Fails unless the committed types are exactly those generated from the contract. */
export async function checkContract(root: string): Promise<Outcome> {
  const wanted = await generateTypes(root);
  const found = await readFile(join(root, TYPES_PATH), 'utf8').catch(() => '');
  if (found === wanted) return pass(`${TYPES_PATH} matches ${CONTRACT_PATH}`);
  return fail(`${TYPES_PATH} is out of date with ${CONTRACT_PATH} (${findFirstDifference(wanted, found)}): npm run contract`);
}

if (import.meta.main) {
  await writeFile(join(process.cwd(), TYPES_PATH), await generateTypes(process.cwd()));
  console.log(`wrote ${TYPES_PATH}`);
}
