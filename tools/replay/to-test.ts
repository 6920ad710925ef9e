import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Trace, traceFormat } from '../../machines/trace/format.ts';
import type { Refusal } from './refusal.ts';

/** A step a line, so that a change to a trace can be read. */
const traceText = ({ runs, ...about }: Trace): string => {
  const runTexts = runs.map(({ steps, ...run }) => {
    const lines = steps.map((step) => JSON.stringify(step)).join(',\n');
    return `${JSON.stringify(run).slice(0, -1)},"steps":[\n${lines}\n]}`;
  });
  return `${JSON.stringify({ ...about, format: traceFormat }).slice(0, -1)},"runs":[\n${runTexts.join(',\n')}\n]}\n`;
};

const testText = (name: string): string => `import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/app/shop.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { traceIn } from '../../machines/trace/trace-in.ts';

const file = new URL('${name}.json', import.meta.url);
const { runs } = traceIn(JSON.parse(readFileSync(file, 'utf8')) as Trace);

test('the recorded visit is replayed to the same states', () => {
  expect(runs.map((run) => replay(shopMachine, run).divergence)).toEqual(runs.map(() => null));
});
`;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Writes a trace and a test that replays it into `tests/traces/`; gives their paths below `root`. Replaces nothing unasked. */
export const writeTest = async (
  root: string,
  name: string,
  trace: Trace,
  { force }: { force: boolean },
): Promise<{ written: string[] } | Refusal> => {
  const texts = { [`tests/traces/${name}.json`]: traceText(trace), [`tests/traces/${name}.test.ts`]: testText(name) };
  const written = Object.keys(texts);
  for (const path of force ? [] : written) {
    if (!(await isThere(join(root, path)))) continue;
    return { refused: `${path} is there already.`, advice: 'Choose another name, or add --force to replace it.' };
  }
  await mkdir(join(root, 'tests/traces'), { recursive: true });
  for (const [path, text] of Object.entries(texts)) await writeFile(join(root, path), text);
  return { written };
};
