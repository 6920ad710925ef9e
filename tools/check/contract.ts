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

function findFirstDifference(expected: string, actual: string): string {
  const actualLines = actual.split('\n');
  const expectedLines = expected.split('\n');
  const differingIndex = expectedLines.findIndex((line, index) => line !== actualLines[index]);
  const line = differingIndex < 0 ? expectedLines.length : differingIndex;
  return `line ${line + 1}: expected ${expectedLines[line]?.trim() ?? 'the end'}, found ${actualLines[line]?.trim() ?? 'the end'}`;
}

/** Fails unless the committed types are exactly those generated from the contract. */
export async function checkContract(root: string): Promise<Outcome> {
  const expected = await generateTypes(root);
  const actual = await readFile(join(root, TYPES_PATH), 'utf8').catch(() => '');
  if (actual === expected) return pass(`${TYPES_PATH} matches ${CONTRACT_PATH}`);
  return fail(`${TYPES_PATH} is out of date with ${CONTRACT_PATH} (${findFirstDifference(expected, actual)}): npm run contract`);
}

if (import.meta.main) {
  await writeFile(join(process.cwd(), TYPES_PATH), await generateTypes(process.cwd()));
  console.log(`wrote ${TYPES_PATH}`);
}
