import { use, useLayoutEffect, useState, type ReactElement } from 'react';
import { useSelector } from '@xstate/react';
import { flushSync } from 'react-dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AnyActorRef, createActor, createMachine, sendTo } from 'xstate';
import { hydrateOrReplace } from '../../src/ssr/hydrate-or-replace.ts';
import { type AppActor, IsServerRendered } from '../../src/views/app-actor.ts';
import { HydratedLater } from '../../src/views/HydratedLater.tsx';
import { queueEarlyEvents, rendered } from './support/rendered-page.tsx';

test('time continues when a screen other than the rendered one is drawn, even outside of the shop', async () => {
  const { root, order, taking } = rendered('The shop can’t be reached');
  await hydrateOrReplace({ ...taking, rendered: 'another' });
  expect(root.textContent).toBe('The shop can’t be reached');
  expect(order).toEqual(['hold', 'let go at “The shop can’t be reached”', 'whole']);
});

test('time is held until the rendered screen is hydrated, and continues then', async () => {
  const { root, order, taking, key } = rendered('Titles');
  const element = root.firstElementChild;
  await hydrateOrReplace({ ...taking, rendered: key });
  expect(root.firstElementChild).toBe(element);
  expect(Object.keys(element ?? {}).some((name) => name.startsWith('__react'))).toBe(true);
  expect(order).toEqual(['hold', 'let go at “Titles”', 'whole']);
});

const isHydrated = (element: Element | null): boolean => Object.keys(element ?? {}).some((name) => name.startsWith('__react'));

/**
 * Runs as soon as React has committed the first part and `takeOver` has noticed: in a microtask, so
 * before the rest is hydrated.
 */
const RunOnLayout = ({ run }: { run: () => void }): null => {
  useLayoutEffect(() => {
    let turns = 5;
    const wait = (): void => (turns-- > 0 ? queueMicrotask(wait) : run());
    wait();
  }, [run]);
  return null;
};

describe('a part that is hydrated later', () => {
  /**
   * A server-rendered page with a button above and one in a part that is hydrated later; `atFirst`
   * runs as soon as the upper one is hydrated.
   */
  const withLater = (atFirst: (foot: () => HTMLButtonElement | null) => void) => {
    const { root, taking, key } = rendered('');
    root.innerHTML = '<button data-event="more">More</button><!--$--><button data-event="foot" title="a">Foot</button><!--/$-->';
    const foot = () => root.querySelector<HTMLButtonElement>('[data-event=foot]');
    const order: string[] = [];
    const note = (what: string) => void order.push(`${what}${isHydrated(foot()) ? ' with foot' : ''}`);
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
        <RunOnLayout
          run={() => {
            note('drawn');
            atFirst(foot);
          }}
        />
      </>
    );
    const time = { hold: () => {}, resume: () => note('let go') };
    const taken = { ...taking, time, shop, rendered: key, resolveHydrated: () => note('hydrated') };
    return { root, foot, order, state, taken };
  };

  test('comes after the rest, and time is held until then', async () => {
    const { foot, order, taken } = withLater(() => {});
    const element = foot();
    await hydrateOrReplace(taken);
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(foot()).toBe(element);
  });

  test('comes before early presses are replayed', async () => {
    const { root, order, taken } = withLater(() => {});
    queueEarlyEvents(() => root.querySelector<HTMLButtonElement>('[data-event=more]')?.click());
    await hydrateOrReplace(taken);
    expect(order.filter((each) => each !== 'drawn with foot')).toEqual([
      'more pressed with foot',
      'let go with foot',
      'hydrated with foot',
    ]);
  });

  test('is hydrated at once by a press, which is handled once', async () => {
    const { order, taken } = withLater((foot) => foot()?.click());
    await hydrateOrReplace(taken);
    expect(order).toEqual(['drawn', 'foot pressed with foot', 'let go with foot', 'hydrated with foot']);
  });

  test.each([
    ['while React hydrates the first part', 'hold'],
    ['as soon as the first part is hydrated', 'drawn'],
  ])('a press %s is handled once, though the page’s own script listens too', async (_, when) => {
    const press = (): void => document.querySelector<HTMLButtonElement>('[data-event=more]')?.click();
    const { order, taken } = withLater(() => when === 'drawn' && press());
    queueEarlyEvents(() => {});
    const hold = (): void => void (when === 'hold' && queueMicrotask(press));
    await hydrateOrReplace({ ...taken, time: { ...taken.time, hold } });
    expect(order.filter((each) => each.startsWith('more pressed'))).toEqual(['more pressed with foot']);
    press();
    expect(order.filter((each) => each.startsWith('more pressed'))).toHaveLength(2);
  });

  test('is hydrated as it was rendered before a press changes its content', async () => {
    const { foot, state, taken } = withLater(() => {
      window.dispatchEvent(new Event('pointerdown'));
      state.send({ type: 'go' });
    });
    await hydrateOrReplace(taken);
    await vi.waitFor(() => expect(foot()?.title).toBe('b'));
  });

  test('may differ from the rendered one: time continues', async () => {
    const { root, foot, order, taken } = withLater(() => {});
    const complaints: unknown[] = [];
    const complain = ({ message }: ErrorEvent): void => void complaints.push(message);
    window.addEventListener('error', complain);
    root.innerHTML = root.innerHTML.replace('>Foot<', '>A lie<');
    await hydrateOrReplace(taken);
    expect(foot()?.textContent).toBe('Foot');
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(complaints).toEqual([expect.stringContaining('Hydration failed')]);
    window.removeEventListener('error', complain);
  });
});

test('time continues when the later part is removed before it was hydrated', async () => {
  const { root, taking, key } = rendered('');
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
  const taken = hydrateOrReplace({ ...taking, shop: <Shop />, rendered: key });
  await vi.waitFor(() => expect(Object.keys(root.firstElementChild ?? {})).not.toEqual([]));
  leave(true);
  await taken;
  expect(root.textContent).toBe('Another page');
});

test('sign-in is offered again when the shop says so', async () => {
  const { taking, key } = rendered('Titles');
  document.documentElement.dataset['known'] = '';
  await hydrateOrReplace({ ...taking, rendered: key });
  expect(document.documentElement.dataset['known']).toBeUndefined();
});

describe('a page whose own calls do not answer', () => {
  /**
   * A server-rendered page whose shop hangs in a call; its screen's flow is busy at first, or is
   * not.
   */
  const hanging = (isBusy: boolean) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { root, taking, order } = rendered('Titles');
    const flow = createMachine({
      initial: isBusy ? 'loading' : 'shown',
      states: { loading: { tags: 'busy', on: { known: 'shown' } }, shown: {} },
    });
    const showing = { invoke: { id: 'flow', src: flow }, on: { known: { actions: sendTo('flow', { type: 'known' }) } } };
    const screen = createMachine({ initial: 'routing', states: { routing: { on: { fetched: 'showing' } }, showing } });
    const app = createActor(createMachine({ invoke: { id: 'screen', src: screen } })).start() as unknown as AppActor;
    const client = { calls: () => new Promise<void>(() => {}) };
    const taken = hydrateOrReplace({ ...taking, app, client, rendered: 'another', shop: <main>My titles</main> });
    onTestFinished(() => taken);
    return {
      send: (type: string): void => (app.getSnapshot().children.screen as AnyActorRef | undefined)?.send({ type }),
      /** Whether the shop has started to render when so many more milliseconds have passed. */
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

  test('still gets its screen, as soon as there is one', async () => {
    const { send, drawsAfter, whole } = hanging(false);
    expect(await drawsAfter(4_750)).toBe(false);
    send('fetched');
    expect(await drawsAfter(250)).toBe(true);
    expect(await whole()).toBe('My titles');
  });

  test('keeps the server-rendered screen rather than an empty one', async () => {
    const { send, drawsAfter } = hanging(true);
    send('fetched');
    expect(await drawsAfter(6_000)).toBe(false);
    send('known');
    expect(await drawsAfter(250)).toBe(true);
  });

  test('does not keep it after the visitor has pressed something', async () => {
    const { send, drawsAfter } = hanging(true);
    queueEarlyEvents(() => {
      document.body.insertAdjacentHTML('beforeend', '<button data-event="more">More</button>');
      document.querySelector<HTMLElement>('[data-event=more]')?.click();
    });
    send('fetched');
    expect(await drawsAfter(3_750)).toBe(false);
    expect(await drawsAfter(250)).toBe(true);
  });

  test.each([
    ['after four seconds if it has content', false, 4_000],
    ['after twelve seconds if it is still loading', true, 12_000],
  ])('has it %s', async (_, isBusy, wait) => {
    const { send, drawsAfter } = hanging(isBusy);
    send('fetched');
    expect(await drawsAfter(wait - 250)).toBe(false);
    expect(await drawsAfter(250)).toBe(true);
  });
});

test('focus and typed text survive a full render', async () => {
  const { root, taking } = rendered('');
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
  await hydrateOrReplace({ ...taking, shop, rendered: 'another' });
  expect(root.querySelector('input')).not.toBe(field);
  expect([root.querySelector('input')?.value, document.activeElement?.textContent]).toEqual(['lamp oil', 'Two']);
  // No field has the focus any more: a list of suggestions would stay open.
  expect(heard).not.toHaveBeenCalled();
});

test('a visitor can keep typing, and the input is handled', async () => {
  const { root, taking } = rendered('');
  const heard: string[] = [];
  root.innerHTML = '<input name="search">';
  const field = root.querySelector('input');
  field?.focus();
  if (field) field.value = 'lamp';
  const shop = <input name="search" defaultValue="" onChange={({ currentTarget: { value } }) => void heard.push(value)} />;
  await hydrateOrReplace({ ...taking, shop, rendered: 'another' });
  expect([document.activeElement?.localName, heard]).toEqual(['input', ['lamp']]);
});

test('a screen that replaces the rendered one is drawn in one piece, later ones may come in parts', async () => {
  const { root, taking } = rendered('');
  const Shop = (): ReactElement => <main>{use(IsServerRendered) ? 'whole' : 'in pieces'}</main>;
  const order: (string | null)[] = [];
  const time = { hold: () => {}, resume: () => void order.push(root.textContent) };
  await hydrateOrReplace({ ...taking, time, shop: <Shop />, rendered: 'another' });
  await vi.waitFor(() => expect(root.textContent).toBe('in pieces'));
  expect(order).toEqual(['whole']);
});

test.each([
  ['hydrated with the server’s name', true, 'Of the server'],
  ['hydrated with another name', true, 'Of the shop'],
  ['rendered again with the server’s name', false, 'Of the server'],
  ['rendered again with another name', false, 'Of the shop'],
])('a page that is %s has one title, which the shop changes and removes', async (_, isTakenOver, name) => {
  const { taking, key } = rendered('');
  let rename: (name: string | null) => void = () => {};
  const Shop = (): ReactElement => {
    const [title, setTitle] = useState<string | null>(name);
    const learn = (): void => {
      rename = setTitle;
    };
    return <main ref={learn}>Titles{title !== null && <title>{title}</title>}</main>;
  };
  const titles = () => [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  await hydrateOrReplace({ ...taking, shop: <Shop />, rendered: isTakenOver ? key : 'another' });
  expect(titles()).toEqual([name]);
  flushSync(() => rename('Of the next page'));
  expect(titles()).toEqual(['Of the next page']);
  flushSync(() => rename(null));
  expect(titles()).toEqual([]);
});
