import { use, useLayoutEffect, useState, type ReactElement } from 'react';
import { useSelector } from '@xstate/react';
import { flushSync } from 'react-dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AnyActorRef, createActor, createMachine, sendTo } from 'xstate';
import { takeOver } from '../../src/painting/take-over.ts';
import { type AppActor, IsPaintedScreen } from '../../src/views/app-actor.ts';
import { HydratedLater } from '../../src/views/HydratedLater.tsx';
import { keepEarly, painted } from './support/painted-page.tsx';

test('time goes on where another screen than the painted one is drawn, though it is none of the shop’s', async () => {
  const { root, order, taking } = painted('The shop can’t be reached');
  await takeOver({ ...taking, painted: 'another' });
  expect(root.textContent).toBe('The shop can’t be reached');
  expect(order).toEqual(['hold', 'let go at “The shop can’t be reached”', 'whole']);
});

test('time stands still until the painted screen is taken over, and goes on then', async () => {
  const { root, order, taking, key } = painted('Titles');
  const element = root.firstElementChild;
  await takeOver({ ...taking, painted: key });
  expect(root.firstElementChild).toBe(element);
  expect(Object.keys(element ?? {}).some((name) => name.startsWith('__react'))).toBe(true);
  expect(order).toEqual(['hold', 'let go at “Titles”', 'whole']);
});

const isTakenOver = (element: Element | null): boolean => Object.keys(element ?? {}).some((name) => name.startsWith('__react'));

/** Runs as soon as React has drawn what comes first and the taking over knows of it: before any task, so before the rest is hydrated. */
const AtFirst = ({ run }: { run: () => void }): null => {
  useLayoutEffect(() => {
    let turns = 5;
    const wait = (): void => (turns-- > 0 ? queueMicrotask(wait) : run());
    wait();
  }, [run]);
  return null;
};

describe('what is hydrated later', () => {
  /** A painted page with a button above and one in a part that is hydrated later; `atFirst` runs as soon as the upper one is React's. */
  const withLater = (atFirst: (foot: () => HTMLButtonElement | null) => void) => {
    const { root, taking, key } = painted('');
    root.innerHTML = '<button data-event="more">More</button><!--$--><button data-event="foot" title="a">Foot</button><!--/$-->';
    const foot = () => root.querySelector<HTMLButtonElement>('[data-event=foot]');
    const order: string[] = [];
    const note = (what: string) => void order.push(`${what}${isTakenOver(foot()) ? ' with foot' : ''}`);
    const state = createActor(createMachine({ initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } })).start();
    const Foot = (): ReactElement => {
      const value = useSelector(state, (snapshot) => (snapshot.matches('b') ? 'b' : 'a'));
      return (
        <button data-event="foot" title={value} onClick={() => note('foot pressed')}>
          Foot
        </button>
      );
    };
    const shop = (
      <>
        <button data-event="more" onClick={() => note('more pressed')}>
          More
        </button>
        <HydratedLater>
          <Foot />
        </HydratedLater>
        <AtFirst
          run={() => {
            note('drawn');
            atFirst(foot);
          }}
        />
      </>
    );
    const time = { hold: () => {}, letGo: () => note('let go') };
    const taken = { ...taking, time, shop, painted: key, tellThatItIsHydrated: () => note('hydrated') };
    return { root, foot, order, state, taken };
  };

  test('comes after the rest, and until then time stands still', async () => {
    const { foot, order, taken } = withLater(() => {});
    const element = foot();
    await takeOver(taken);
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(foot()).toBe(element);
  });

  test('comes before what was pressed early is made good', async () => {
    const { root, order, taken } = withLater(() => {});
    keepEarly(() => root.querySelector<HTMLButtonElement>('[data-event=more]')?.click());
    await takeOver(taken);
    expect(order.filter((each) => each !== 'drawn with foot')).toEqual([
      'more pressed with foot',
      'let go with foot',
      'hydrated with foot',
    ]);
  });

  test('is pressed at once, and heard once', async () => {
    const { order, taken } = withLater((foot) => foot()?.click());
    await takeOver(taken);
    expect(order).toEqual(['drawn', 'foot pressed with foot', 'let go with foot', 'hydrated with foot']);
  });

  test.each([
    ['while React hydrates what comes first', 'hold'],
    ['as soon as that stands', 'drawn'],
  ])('what is pressed %s is heard once, though the page’s own script listens', async (_, when) => {
    const press = (): void => document.querySelector<HTMLButtonElement>('[data-event=more]')?.click();
    const { order, taken } = withLater(() => when === 'drawn' && press());
    keepEarly(() => {});
    const hold = (): void => void (when === 'hold' && queueMicrotask(press));
    await takeOver({ ...taken, time: { ...taken.time, hold } });
    expect(order.filter((each) => each.startsWith('more pressed'))).toEqual(['more pressed with foot']);
    press();
    expect(order.filter((each) => each.startsWith('more pressed'))).toHaveLength(2);
  });

  test('is hydrated as it was painted before a press changes what it shows', async () => {
    const { foot, state, taken } = withLater(() => {
      window.dispatchEvent(new Event('pointerdown'));
      state.send({ type: 'go' });
    });
    await takeOver(taken);
    await vi.waitFor(() => expect(foot()?.title).toBe('b'));
  });

  test('may be another than was painted: time goes on', async () => {
    const { root, foot, order, taken } = withLater(() => {});
    const complaints: unknown[] = [];
    const complain = ({ message }: ErrorEvent): void => void complaints.push(message);
    window.addEventListener('error', complain);
    root.innerHTML = root.innerHTML.replace('>Foot<', '>A lie<');
    await takeOver(taken);
    expect(foot()?.textContent).toBe('Foot');
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(complaints).toEqual([expect.stringContaining('Hydration failed')]);
    window.removeEventListener('error', complain);
  });
});

test('time goes on where what stands below is gone before it was taken over', async () => {
  const { root, taking, key } = painted('');
  const { promise: never } = Promise.withResolvers<void>();
  const Waits = (): ReactElement => {
    use(never);
    return <p>Foot</p>;
  };
  let leave: (isLeft: boolean) => void = () => {};
  const Shop = (): ReactElement => {
    const [isLeft, setLeft] = useState(false);
    const learn = (): void => {
      leave = setLeft;
    };
    return (
      <main ref={learn}>
        {isLeft ? (
          'Another page'
        ) : (
          <HydratedLater>
            <Waits />
          </HydratedLater>
        )}
      </main>
    );
  };
  root.innerHTML = '<main><!--$--><p>Foot</p><!--/$--></main>';
  const taken = takeOver({ ...taking, shop: <Shop />, painted: key });
  await vi.waitFor(() => expect(Object.keys(root.firstElementChild ?? {})).not.toEqual([]));
  leave(true);
  await taken;
  expect(root.textContent).toBe('Another page');
});

test('the way in is offered again where the shop says so', async () => {
  const { taking, key } = painted('Titles');
  document.documentElement.dataset['known'] = '';
  await takeOver({ ...taking, painted: key });
  expect(document.documentElement.dataset['known']).toBeUndefined();
});

describe('whose own calls do not come', () => {
  /** A painted page whose shop hangs in a call; its screen is of a flow that is busy at first, or is not. */
  const hanging = (isBusy: boolean) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { root, taking, order } = painted('Titles');
    const flow = createMachine({
      initial: isBusy ? 'loading' : 'shown',
      states: { loading: { tags: 'busy', on: { known: 'shown' } }, shown: {} },
    });
    const showing = { invoke: { id: 'flow', src: flow }, on: { known: { actions: sendTo('flow', { type: 'known' }) } } };
    const screen = createMachine({ initial: 'routing', states: { routing: { on: { fetched: 'showing' } }, showing } });
    const app = createActor(createMachine({ invoke: { id: 'screen', src: screen } })).start() as unknown as AppActor;
    const client = { calls: () => new Promise<void>(() => {}) };
    const taken = takeOver({ ...taking, app, client, painted: 'another', shop: <main>My titles</main> });
    onTestFinished(() => taken);
    return {
      send: (type: string): void => (app.getSnapshot().children.screen as AnyActorRef | undefined)?.send({ type }),
      /** Whether the shop has begun to draw when so many more milliseconds have passed. */
      drawsAfter: async (milliseconds: number): Promise<boolean> => {
        await vi.advanceTimersByTimeAsync(milliseconds);
        return order.includes('hold');
      },
      whole: async (): Promise<string | null> => {
        await taken;
        return root.textContent;
      },
    };
  };

  test('has their screen all the same, as soon as there is one', async () => {
    const { send, drawsAfter, whole } = hanging(false);
    expect(await drawsAfter(4_750)).toBe(false);
    send('fetched');
    expect(await drawsAfter(250)).toBe(true);
    expect(await whole()).toBe('My titles');
  });

  test('reads what is painted rather than nothing', async () => {
    const { send, drawsAfter } = hanging(true);
    send('fetched');
    expect(await drawsAfter(6_000)).toBe(false);
    send('known');
    expect(await drawsAfter(250)).toBe(true);
  });

  test('does not read who has pressed something', async () => {
    const { send, drawsAfter } = hanging(true);
    keepEarly(() => {
      document.body.insertAdjacentHTML('beforeend', '<button data-event="more">More</button>');
      document.querySelector<HTMLElement>('[data-event=more]')?.click();
    });
    send('fetched');
    expect(await drawsAfter(3_750)).toBe(false);
    expect(await drawsAfter(250)).toBe(true);
  });

  test.each([
    ['after four seconds where it shows something', false, 4_000],
    ['after twelve seconds where it shows nothing yet', true, 12_000],
  ])('has it %s', async (_, isBusy, wait) => {
    const { send, drawsAfter } = hanging(isBusy);
    send('fetched');
    expect(await drawsAfter(wait - 250)).toBe(false);
    expect(await drawsAfter(250)).toBe(true);
  });
});

test('where the keyboard is and what was typed stay on a screen that is drawn anew', async () => {
  const { root, taking } = painted('');
  const heard = vi.fn();
  root.innerHTML =
    '<input name="search" value="lamp"><button data-event="more">One</button><button data-event="more">Two</button>';
  const [field, second] = [root.querySelector('input'), root.querySelectorAll('button')[1]];
  if (field) field.value = 'lamp oil';
  second?.focus();
  const shop = (
    <main>
      <input name="search" defaultValue="lamp" onInput={() => void heard()} />
      <button data-event="more">One</button>
      <button data-event="more">Two</button>
    </main>
  );
  await takeOver({ ...taking, shop, painted: 'another' });
  expect(root.querySelector('input')).not.toBe(field);
  expect([root.querySelector('input')?.value, document.activeElement?.textContent]).toEqual(['lamp oil', 'Two']);
  // Nobody types there any more: a list of suggestions would stay open.
  expect(heard).not.toHaveBeenCalled();
});

test('whoever is typing types on, and is heard', async () => {
  const { root, taking } = painted('');
  const heard: string[] = [];
  root.innerHTML = '<input name="search">';
  const field = root.querySelector('input');
  field?.focus();
  if (field) field.value = 'lamp';
  const shop = <input name="search" defaultValue="" onChange={({ currentTarget: { value } }) => void heard.push(value)} />;
  await takeOver({ ...taking, shop, painted: 'another' });
  expect([document.activeElement?.localName, heard]).toEqual(['input', ['lamp']]);
});

test('what is drawn in place of a painted screen is drawn whole at once, and what comes later may come in pieces', async () => {
  const { root, taking } = painted('');
  const Shop = (): ReactElement => <main>{use(IsPaintedScreen) ? 'whole' : 'in pieces'}</main>;
  const order: (string | null)[] = [];
  const time = { hold: () => {}, letGo: () => void order.push(root.textContent) };
  await takeOver({ ...taking, time, shop: <Shop />, painted: 'another' });
  await vi.waitFor(() => expect(root.textContent).toBe('in pieces'));
  expect(order).toEqual(['whole']);
});

test.each([
  ['taken over with the name that the server gave', true, 'Of the server'],
  ['taken over with another name', true, 'Of the shop'],
  ['drawn anew with the name that the server gave', false, 'Of the server'],
  ['drawn anew with another name', false, 'Of the shop'],
])('a page that is %s has one title, which the shop changes and takes away', async (_, isTakenOver, name) => {
  const { taking, key } = painted('');
  let rename: (name: string | null) => void = () => {};
  const Shop = (): ReactElement => {
    const [title, setTitle] = useState<string | null>(name);
    const learn = (): void => {
      rename = setTitle;
    };
    return <main ref={learn}>Titles{title !== null && <title>{title}</title>}</main>;
  };
  const titles = () => [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  await takeOver({ ...taking, shop: <Shop />, painted: isTakenOver ? key : 'another' });
  expect(titles()).toEqual([name]);
  flushSync(() => rename('Of the next page'));
  expect(titles()).toEqual(['Of the next page']);
  flushSync(() => rename(null));
  expect(titles()).toEqual([]);
});
