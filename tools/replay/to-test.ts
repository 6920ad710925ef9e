import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Trace, traceFormat } from '../../machines/trace/format.ts';
import type { Refusal } from './refusal.ts';

/** Formats a trace with one step per line, so that changes to it can be reviewed. */
const formatTrace = ({ runs, ...header }: Trace): string => {
  const runTexts = runs.map(({ steps, ...run }) => {
    const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
    return `${JSON.stringify(run).slice(0, -1)},"steps":[\n${lines}\n]}`;
  });
  return `${JSON.stringify({ ...header, format: traceFormat }).slice(0, -1)},"runs":[\n${runTexts.join(',\n')}\n]}\n`;
};

const formatTest = (name: string): string => `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';

const file = new URL('${name}.json', import.meta.url);
const { runs } = traceFromJson(JSON.parse(readFileSync(file, 'utf8')) as Trace);

test('the recorded visit is replayed to the same states', () => {
  expect(runs.map((run) => replay(shopMachine, run).divergence)).toEqual(runs.map(() => null));
});
`;

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a trace and a test that replays it into `tests/traces/`. Existing files are replaced only
 * with --force.
 * @returns their paths below `root`
 */
export const writeTest = async (
  root: string,
  name: string,
  trace: Trace,
  { force }: { force: boolean },
): Promise<{ written: string[] } | Refusal> => {
  const texts = { [`tests/traces/${name}.json`]: formatTrace(trace), [`tests/traces/${name}.test.ts`]: formatTest(name) };
  const written = Object.keys(texts);
  for (const path of force ? [] : written) {
    if (!(await fileExists(join(root, path)))) continue;
    return { refused: `${path} already exists.`, advice: 'Choose another name, or add --force to replace it.' };
  }
  await mkdir(join(root, 'tests/traces'), { recursive: true });
  for (const [path, text] of Object.entries(texts)) await writeFile(join(root, path), text);
  return { written };
};
