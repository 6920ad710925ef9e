// @vitest-environment node
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { RenderedPage } from '../../machines/model/store/server-rendering.ts';
import { startHeldRender, type StoreVisit } from './support/held-render.ts';

// As in the server build.
vi.mock('../../src/views/purifier.ts', () => import('../../src/ssr/purifier.ts'));

type LoneRender = { rendered: RenderedPage; answers: number };

/** A path of each kind of screen. */
const paths = ['/', '/all', '/all?search=', '/id:1', '/pages/public/help', '/campaign/c1', '/subscription', '/about'];
/** The same kind of screen in two stores, for visitors of different languages and themes. */
const createVisits = (path: string): [StoreVisit, StoreVisit] => [
  { store: 'Antares', path: path.replace(/=$/, '=Antares-Anna'), language: 'en', look: 'ink.sand.paper' },
  { store: 'Boreas', path: path.replace(/=$/, '=Boreas-Berta'), language: 'fr', look: 'white.white.white' },
];

const rendersAlone = new Map<string, [LoneRender, LoneRender]>();

const renderAlone = async (visit: StoreVisit): Promise<LoneRender> => {
  const { finish, countReleased } = startHeldRender(visit);
  return { rendered: await finish(), answers: countReleased() };
};

beforeAll(async () => {
  // Loads all chunks, so that renders wait for answers only.
  for (const kind of paths) {
    const [one, other] = createVisits(kind);
    rendersAlone.set(kind, [await renderAlone(one), await renderAlone(other)]);
  }
}, 120_000);

const getRenderAlone = (kind: string): [LoneRender, LoneRender] => {
  const pair = rendersAlone.get(kind);
  if (!pair) throw new Error(`No reference rendering for ${kind}: expected one of ${paths.join(', ')}.`);
  return pair;
};

/**
 * Renders two pages at once; each of `turns` is the index of the page that gets its next response.
 * After the last turn, each page finishes.
 */
const renderInterleaved = async (
  visits: [StoreVisit, StoreVisit],
  turns: readonly (0 | 1)[],
): Promise<[RenderedPage, RenderedPage]> => {
  const renders = [startHeldRender(visits[0]), startHeldRender(visits[1])] as const;
  for (const turn of turns) await renders[turn].releaseNext();
  return Promise.all([renders[0].finish(), renders[1].finish()]);
};

const expectIsolated = ([one, other]: [RenderedPage, RenderedPage], kind: string): void => {
  const [first, second] = getRenderAlone(kind);
  expect(one).toEqual(first.rendered);
  expect(other).toEqual(second.rendered);
};

test.each(paths)('%s rendered alone for each store has the texts of that store only', (kind) => {
  const [one, other] = getRenderAlone(kind).map(({ rendered }) => JSON.stringify(rendered));
  expect([one, other].map((page) => [/Antares/.test(page ?? ''), /Boreas/.test(page ?? '')])).toEqual([
    [true, false],
    [false, true],
  ]);
  expect([one, other].join('\n')).not.toMatch(/Antares \(fr\)|Boreas \(en\)/);
});

test.each(paths)(
  '%s of two stores renders correctly at the same time, wherever one rendering waits for the other',
  { timeout: 120_000 },
  async (kind) => {
    const [{ answers: answerCount }, { answers: otherAnswerCount }] = getRenderAlone(kind);
    for (let stepsBefore = 0; stepsBefore <= answerCount; stepsBefore += 1) {
      for (let stepsOfOther = 0; stepsOfOther <= otherAnswerCount; stepsOfOther += 1) {
        // A page has one more step than responses: the first step starts the page.
        const turns = [
          ...Array<0>(stepsBefore + 1).fill(0),
          ...Array<1>(stepsOfOther + 1).fill(1),
          ...Array<0>(answerCount - stepsBefore).fill(0),
        ];
        expectIsolated(await renderInterleaved(createVisits(kind), turns), kind);
      }
    }
  },
);

test('any two kinds of screen render correctly in any interleaving', { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.constantFrom(...paths),
      fc.array(fc.constantFrom<(0 | 1)[]>(0, 1), { maxLength: 14 }),
      async (kind, otherKind, turns) => {
        const rendered = await renderInterleaved([createVisits(kind)[0], createVisits(otherKind)[1]], turns);
        expect(rendered).toEqual([getRenderAlone(kind)[0].rendered, getRenderAlone(otherKind)[1].rendered]);
      },
    ),
    { numRuns: 60 },
  ),
);
