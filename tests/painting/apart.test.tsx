// @vitest-environment node
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Painted } from '../../machines/model/store/painting.ts';
import { heldPaint, type Visit } from './support/held-paint.ts';

// As in the build for the server.
vi.mock('../../src/views/purifier.ts', () => import('../../src/painting/purifier.ts'));

type Alone = { painted: Painted; answers: number };

/** The same kind of screen in two stores, for two visitors who share neither language nor look. */
const kinds = ['/', '/all', '/all?search=', '/id:1', '/pages/public/help', '/campaign/c1', '/subscription', '/about'];
const visitsOf = (kind: string): [Visit, Visit] => [
  { store: 'Antares', path: kind.replace(/=$/, '=Antares-Anna'), language: 'en', look: 'ink.sand.paper' },
  { store: 'Boreas', path: kind.replace(/=$/, '=Boreas-Berta'), language: 'fr', look: 'white.white.white' },
];

const alone = new Map<string, [Alone, Alone]>();

const paintAlone = async (visit: Visit): Promise<Alone> => {
  const { finish, handed } = heldPaint(visit);
  return { painted: await finish(), answers: handed() };
};

beforeAll(async () => {
  // All parts of the program are there afterwards, so that nothing is waited for but answers.
  for (const kind of kinds) {
    const [one, other] = visitsOf(kind);
    alone.set(kind, [await paintAlone(one), await paintAlone(other)]);
  }
}, 120_000);

const aloneOf = (kind: string): [Alone, Alone] => {
  const pair = alone.get(kind);
  if (!pair) throw new Error(`${kind} was not painted alone.`);
  return pair;
};

/** Paints two pages at once; `turns` says which of them goes on, from one wait to its next. What is left over goes on by itself. */
const paintByTurns = async (visits: [Visit, Visit], turns: readonly (0 | 1)[]): Promise<[Painted, Painted]> => {
  const paints = [heldPaint(visits[0]), heldPaint(visits[1])] as const;
  for (const turn of turns) await paints[turn].goOn();
  return Promise.all([paints[0].finish(), paints[1].finish()]);
};

const expectApart = ([one, other]: [Painted, Painted], kind: string): void => {
  const [first, second] = aloneOf(kind);
  expect(one).toEqual(first.painted);
  expect(other).toEqual(second.painted);
};

test.each(kinds)('%s of each store, painted alone, has its own words and none of the other’s', (kind) => {
  const [one, other] = aloneOf(kind).map(({ painted }) => JSON.stringify(painted));
  expect([one, other].map((page) => [/Antares/.test(page ?? ''), /Boreas/.test(page ?? '')])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect([one, other].join('\n')).not.toMatch(/Antares \(fr\)|Boreas \(en\)/);
});

test.each(kinds)(
  '%s of two stores at once: wherever one waits, the other goes as far as it likes',
  { timeout: 120_000 },
  async (kind) => {
    const [{ answers: most }, { answers: mostOther }] = aloneOf(kind);
    for (let done = 0; done <= most; done += 1) {
      for (let between = 0; between <= mostOther; between += 1) {
        // One step more than answers: the first one begins the page.
        const turns = [...Array<0>(done + 1).fill(0), ...Array<1>(between + 1).fill(1), ...Array<0>(most - done).fill(0)];
        expectApart(await paintByTurns(visitsOf(kind), turns), kind);
      }
    }
  },
);

test('any two kinds of screen, by any turns', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.constantFrom(...kinds),
      fc.array(fc.constantFrom<(0 | 1)[]>(0, 1), { maxLength: 14 }),
      async (kind, otherKind, turns) => {
        const painted = await paintByTurns([visitsOf(kind)[0], visitsOf(otherKind)[1]], turns);
        expect(painted).toEqual([aloneOf(kind)[0].painted, aloneOf(otherKind)[1].painted]);
      },
    ),
    { numRuns: 60 },
  ),
);
