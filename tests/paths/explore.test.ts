import { assign, setup } from 'xstate';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { findGrowingKeys } from '../../machines/paths/growth.ts';

type Diary = {
  log: string[];
  pii: { history: string[]; name: string };
  word: string;
  mood: { now: string | null };
  pages: number;
};

/** A machine that stores every text and purchase; the word, the mood and the page only change. */
const diaryMachine = setup({
  types: {} as {
    context: Diary;
    events: { type: 'written'; word: string } | { type: 'bought'; pii: { title: string } } | { type: 'turned' };
  },
  actions: {
    keepWord: assign({ log: ({ context }, word: string) => [...context.log, word], word: (_, word: string) => word }),
    keepPurchase: assign({
      pii: ({ context: { pii } }, title: string) => ({ ...pii, history: [...pii.history, title] }),
      mood: ({ context }) => ({ now: context.mood.now === null ? 'glad' : null }),
    }),
    turn: assign({ pages: ({ context }) => (context.pages + 1) % 3 }),
  },
}).createMachine({
  id: 'diary',
  context: { log: [], pii: { history: [], name: 'A Reader' }, word: '', mood: { now: null }, pages: 0 },
  on: {
    written: { actions: { type: 'keepWord', params: ({ event }) => event.word } },
    bought: { actions: { type: 'keepPurchase', params: ({ event }) => event.pii.title } },
    turned: { actions: 'turn' },
  },
});

const cases = {
  written: [{ word: 'lamp' }, { word: 'harbour' }],
  bought: [{ pii: { title: 'The Keeper’s Third Log' } }],
};
const allCases = { cases, kind: ({ context }: { context: unknown }) => context };

describe('a machine whose context grows without bound', () => {
  test('a growing context is refused with the names of the keys that grow', () => {
    expect(() => explore(diaryMachine, { ...allCases, limit: 300 })).toThrow(
      new RangeError('diary has more than 300 kinds of snapshots; growing: log, pii.history'),
    );
  });

  test('a growing context is explored if its growing keys do not affect the kind', () => {
    const { nodes } = explore(diaryMachine, { cases, limit: 300, kind: ({ context }) => (context as Diary).pages });
    expect(nodes).toHaveLength(3);
  });

  test('a context with too many values is refused, and the message says that no key grows', () => {
    const coin = setup({
      types: {} as { context: { side: string }; events: { type: 'tossed'; side: string } },
      actions: { keep: assign({ side: (_, side: string) => side }) },
    }).createMachine({
      id: 'coin',
      context: { side: '?' },
      on: { tossed: { actions: { type: 'keep', params: ({ event }) => event.side } } },
    });
    const sides = { tossed: ['a', 'b', 'c', 'd', 'e'].map((side) => ({ side })) };
    expect(() => explore(coin, { ...allCases, cases: sides, limit: 4 })).toThrow(
      new RangeError('coin has more than 4 kinds of snapshots; no key of its context grows'),
    );
  });
});

test('numbers, texts and objects grow as lists do; shrinking values do not', () => {
  const snapshots = [0, 1, 2, 3, 4].map((depth) => ({
    depth,
    context: {
      count: -depth,
      text: 'a'.repeat(depth),
      byId: Object.fromEntries([...Array(depth).keys()].map((id) => [`k${id}`, 'kept'])),
      left: 'a'.repeat(9 - depth),
      steady: { text: depth % 2 === 0 ? 'even' : 'odd', at: depth > 0 ? 1 : null },
    },
  }));
  expect(findGrowingKeys(snapshots)).toEqual(['count', 'text', 'byId']);
});

describe('a machine that throws', () => {
  const throwBroken = () => {
    throw new TypeError('broken');
  };

  test('a step that throws is reported with its state and event', () => {
    const machine = setup({ actions: { fail: assign(throwBroken) } }).createMachine({
      id: 'cup',
      on: { dropped: { actions: 'fail' } },
    });
    expect(explore(machine).failures).toEqual([{ state: '{}', event: { type: 'dropped' }, error: new TypeError('broken') }]);
  });

  test('a machine that throws at its start is reported with its input', () => {
    const machine = setup({ types: {} as { context: object } }).createMachine({ id: 'cup', context: throwBroken });
    expect(explore(machine, { input: 1 }).failures).toEqual([
      { state: 'cup', event: { type: 'xstate.init', input: 1 }, error: new TypeError('broken') },
    ]);
  });
});

test('a machine that is done accepts no more events', () => {
  const machine = setup({}).createMachine({
    id: 'book',
    initial: 'open',
    states: { open: { on: { closed: 'shut' } }, shut: { type: 'final' } },
    on: { opened: '.open' },
  });
  const { edges } = explore(machine);
  expect(edges.map(({ from, event }) => `${String(from.snapshot.value)} ${event.type}`)).toEqual(['open opened', 'open closed']);
});
