import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PlanDocument } from '../../tools/paths/plan-document.ts';
import type { Survey } from '../../tools/paths/survey.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { projectRoot } from './support/tree.ts';

type CommandResult = { code: number | null; out: string; error: string };

/** Runs `npm run paths` with arguments; resolves with its exit code, stdout and stderr. */
const runPaths = (...args: string[]): Promise<CommandResult> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['tools/paths/paths.ts', ...args], { cwd: projectRoot });
    const result: CommandResult = { code: null, out: '', error: '' };
    child.stdout.on('data', (chunk: Buffer) => (result.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (result.error += chunk.toString()));
    child.on('close', (code) => resolve({ ...result, code }));
  });

const createFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'colophon-paths-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

describe('the list of machines', () => {
  test('the list of machines as JSON has nothing else on stdout', async () => {
    const { code, out, error } = await runPaths('--json');
    expect([code, error]).toEqual([0, '']);
    const surveys = JSON.parse(out) as Survey[];
    expect(surveys.map(({ machine }) => machine)).toEqual([...modelsByMachine.keys()]);
    const keys = ['machine', 'states', 'transitions', 'guards', 'spec', 'tests', 'steps', 'uncovered'];
    for (const survey of surveys) {
      expect(Object.keys(survey)).toEqual(keys);
      for (const { covered, total } of [survey.states, survey.transitions, survey.guards, survey.spec])
        expect(covered).toBe(total);
      expect(survey.uncovered).toEqual([]);
      expect(survey.tests).toBeGreaterThan(0);
    }
    const payment = surveys.find(({ machine }) => machine === 'payment');
    expect(payment).toMatchObject({ transitions: { total: 43 }, guards: { total: 48 } });
    expect(payment?.steps).toBeGreaterThanOrEqual(43);
  });

  test('the list of machines as a table has a line for each machine, and the elapsed time', async () => {
    const { code, out } = await runPaths();
    expect(code).toBe(0);
    const [header = '', , ...rows] = out.split('\n');
    expect(header.split(/ {2,}/)).toEqual(['machine', 'states', 'transitions', 'guards', 'spec rows', 'tests', 'steps']);
    expect(rows.slice(0, modelsByMachine.size).map((row) => row.split(' ')[0])).toEqual([...modelsByMachine.keys()]);
    expect(out).toMatch(/explored and walked in \d+\.\d s/);
  });
});

describe('a plan', () => {
  test('a plan is written in Markdown, to be followed by hand', async () => {
    const out = await createFolder();
    expect(await runPaths('--machine', 'purchase', '--out', join(out, 'new/plans'))).toMatchObject({ code: 0, error: '' });
    const plan = await readFile(join(out, 'new/plans/purchase.transitions.md'), 'utf8');
    expect(plan).toMatch(/^# Buying a title, the cart or a plan, or giving it as a gift\n/);
    expect(plan).toContain('**Start:** As a visitor, open the purchase of a title that is for sale');
    expect(plan).toMatch(/\*\*You:\*\* Press “Continue to payment”\.\n   - The sign-in page opens/);
    expect(plan).toContain('**Server:** The server does not give the offer and its price: the network is down.');
    expect(plan).toContain('**Before:** Block `titles/*`, `plans/*`, and `cart/titles`.');
    // Only preparations, starts and the line about the machine have names of code.
    expect(plan.replaceAll(/^Machine .*|^.*\*\*(?:Before[^*]*|Start):\*\*.*$/gm, '')).not.toMatch(/`|undefined|xstate/);
  });

  test('a plan is written as JSON with its steps', async () => {
    const out = await createFolder();
    await runPaths('--machine', 'payment', '--format', 'json', '--criterion', 'pairs', '--out', out);
    const plan = JSON.parse(await readFile(join(out, 'payment.pairs.json'), 'utf8')) as PlanDocument;
    expect(plan).toMatchObject({ machine: 'payment', criterion: 'pairs', walks: null, uncovered: [], total: plan.covered });
    const steps = plan.tests.flatMap((each) => each.steps);
    expect(plan.tests.map(({ number }) => number)).toEqual(plan.tests.map((_, index) => index + 1));
    expect(steps.find(({ by }) => by === 'clock')).toMatchObject({
      does: 'Let 3 seconds pass.',
      sees: ['A wait: “Checking your payment…”.'],
      states: ['payment', 'payment.reconciling'],
    });
  });

  test('a plan is written as an HTML page that makes no requests', async () => {
    const out = await createFolder();
    await runPaths('--machine', 'purchase', '--format', 'html', '--out', out);
    const page = await readFile(join(out, 'purchase.transitions.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('name="viewport"');
    expect(page).toContain('<h2>Test 1</h2>');
    expect(page).not.toMatch(/<link|src=|url\(|https?:/);
  });

  test('a plan of a stricter criterion has more tests', async () => {
    const lengths = await Promise.all(
      ['states', 'transitions', 'pairs'].map(async (criterion) => {
        const { out } = await runPaths('--machine', 'purchase', '--criterion', criterion, '--format', 'json');
        return (JSON.parse(out) as PlanDocument).tests.length;
      }),
    );
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(3);
  });

  test('a plan of random walks is the same for the same seed', async () => {
    const planWalks = (seed: string) =>
      runPaths('--machine', 'book', '--seed', seed, '--walks', '3', '--length', '12', '--format', 'json');
    const [firstRun, secondRun, otherSeedRun] = await Promise.all([planWalks('7'), planWalks('7'), planWalks('8')]);
    expect(firstRun.out).toBe(secondRun.out);
    const { tests } = JSON.parse(firstRun.out) as PlanDocument;
    expect((JSON.parse(otherSeedRun.out) as PlanDocument).tests).not.toEqual(tests);
    expect(tests.map(({ steps }) => steps.length <= 12 && steps.length > 0)).toEqual([true, true, true]);
  });

  test('a plan ends at the requested state', async () => {
    const { code, out } = await runPaths('--machine', 'payment', '--stop', 'unknown', '--format', 'json');
    expect(code).toBe(0);
    const { tests, uncovered } = JSON.parse(out) as PlanDocument;
    const stepsBeyondStop = tests
      .flatMap(({ steps }) => steps.slice(0, -1))
      .filter(({ states }) => states.includes('payment.unknown'));
    expect(stepsBeyondStop).toEqual([]);
    expect(uncovered).toContain('payment.unknown status.pressed');
  });
});

describe('invalid arguments are refused', () => {
  test('an unknown machine is refused with the reason, and without a stack trace', async () => {
    const { code, out, error } = await runPaths('--machine', 'chekout');
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(`--machine chekout: expected one of ${[...modelsByMachine.keys()].join(', ')}`);
    expect(error).not.toContain('    at ');
  });

  test('an unwritable folder is refused with its path', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');
    const { code, error } = await runPaths('--machine', 'boot', '--out', file);
    expect(code).toBe(2);
    expect(error).toContain(`--out ${file}: `);
  });
});
