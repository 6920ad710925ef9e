import { use, useLayoutEffect, useState, type ReactElement } from 'react';
import { useSelector } from '@xstate/react';
import { flushSync } from 'react-dom';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AnyActorRef, createActor, createMachine, sendTo } from 'xstate';
import { hydrateOrReplace } from '../../src/ssr/hydrate-or-replace.ts';
import { type AppActor, ServerRenderedContext } from '../../src/views/app-actor.ts';
import { HydratedLater } from '../../src/views/HydratedLater.tsx';
import { queueEarlyEvents, createRenderedPage } from './support/rendered-page.tsx';

test('time continues when a screen other than the rendered one is drawn, even outside of the shop', async () => {
  const { root, order, options } = createRenderedPage('The shop can’t be reached');
  await hydrateOrReplace({ ...options, rendered: 'another' });
  expect(root.textContent).toBe('The shop can’t be reached');
  expect(order).toEqual(['hold', 'let go at “The shop can’t be reached”', 'whole']);
});

test('time is held until the rendered screen is hydrated, and continues then', async () => {
  const { root, order, options, key } = createRenderedPage('Titles');
  const element = root.firstElementChild;
  await hydrateOrReplace({ ...options, rendered: key });
  expect(root.firstElementChild).toBe(element);
  expect(Object.keys(element ?? {}).some((name) => name.startsWith('__react'))).toBe(true);
  expect(order).toEqual(['hold', 'let go at “Titles”', 'whole']);
});

const isHydrated = (element: Element | null): boolean => Object.keys(element ?? {}).some((name) => name.startsWith('__react'));

/**
 * Calls `run` some microtasks after React has committed the first part, so that `hydrateOrReplace`
 * has noticed it and the later part is not hydrated yet.
 */
const RunOnLayout = ({ run }: { run: () => void }): null => {
  useLayoutEffect(() => {
    let remainingTurns = 5;
    const runLater = (): void => (remainingTurns-- > 0 ? queueMicrotask(runLater) : run());
    runLater();
  }, [run]);
  return null;
};

describe('a part that is hydrated later', () => {
  /**
   * A server-rendered page with a button in its first part and another in a part that is hydrated
   * later; `onFirstPart` runs as soon as the first part is hydrated.
   */
  const renderWithLaterPart = (onFirstPart: (foot: () => HTMLButtonElement | null) => void) => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = '<button data-event="more">More</button><!--$--><button data-event="foot" title="a">Foot</button><!--/$-->';
    const findFoot = () => root.querySelector<HTMLButtonElement>('[data-event=foot]');
    const order: string[] = [];
    const note = (event: string) => void order.push(`${event}${isHydrated(findFoot()) ? ' with foot' : ''}`);
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
            onFirstPart(findFoot);
          }}
        />
      </>
    );
    const time = { hold: () => {}, resume: () => note('let go') };
    const hydrationOptions = { ...options, time, shop, rendered: key, resolveHydrated: () => note('hydrated') };
    return { root, foot: findFoot, order, state, options: hydrationOptions };
  };

  test('a later part is hydrated after the first one, and time is held until then', async () => {
    const { foot, order, options } = renderWithLaterPart(() => {});
    const element = foot();
    await hydrateOrReplace(options);
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(foot()).toBe(element);
  });

  test('a later part is hydrated before early presses are replayed', async () => {
    const { root, order, options } = renderWithLaterPart(() => {});
    queueEarlyEvents(() => root.querySelector<HTMLButtonElement>('[data-event=more]')?.click());
    await hydrateOrReplace(options);
    expect(order.filter((each) => each !== 'drawn with foot')).toEqual([
      'more pressed with foot',
      'let go with foot',
      'hydrated with foot',
    ]);
  });

  test('a press on a later part hydrates it at once and is handled once', async () => {
    const { order, options } = renderWithLaterPart((foot) => foot()?.click());
    await hydrateOrReplace(options);
    expect(order).toEqual(['drawn', 'foot pressed with foot', 'let go with foot', 'hydrated with foot']);
  });

  test.each([
    ['while React hydrates the first part', 'hold'],
    ['as soon as the first part is hydrated', 'drawn'],
  ])('a press %s is handled once, though the page’s own script listens too', async (_, moment) => {
    const press = (): void => document.querySelector<HTMLButtonElement>('[data-event=more]')?.click();
    const { order, options } = renderWithLaterPart(() => moment === 'drawn' && press());
    queueEarlyEvents(() => {});
    const hold = (): void => void (moment === 'hold' && queueMicrotask(press));
    await hydrateOrReplace({ ...options, time: { ...options.time, hold } });
    expect(order.filter((each) => each.startsWith('more pressed'))).toEqual(['more pressed with foot']);
    press();
    expect(order.filter((each) => each.startsWith('more pressed'))).toHaveLength(2);
  });

  test('a later part is hydrated as it was rendered before a press changes its content', async () => {
    const { foot, state, options } = renderWithLaterPart(() => {
      window.dispatchEvent(new Event('pointerdown'));
      state.send({ type: 'go' });
    });
    await hydrateOrReplace(options);
    await vi.waitFor(() => expect(foot()?.title).toBe('b'));
  });

  test('time continues when a later part differs from the rendered one', async () => {
    const { root, foot, order, options } = renderWithLaterPart(() => {});
    const messages: unknown[] = [];
    const recordError = ({ message }: ErrorEvent): void => void messages.push(message);
    window.addEventListener('error', recordError);
    root.innerHTML = root.innerHTML.replace('>Foot<', '>A lie<');
    await hydrateOrReplace(options);
    expect(foot()?.textContent).toBe('Foot');
    expect(order).toEqual(['drawn', 'let go with foot', 'hydrated with foot']);
    expect(messages).toEqual([expect.stringContaining('Hydration failed')]);
    window.removeEventListener('error', recordError);
  });
});

test('time continues when a later part is removed before it was hydrated', async () => {
  const { root, options, key } = createRenderedPage('');
  const { promise: never } = Promise.withResolvers<void>();
  const Suspending = (): ReactElement => {
    use(never);
    return <p>Foot</p>;
  };
  let leave: (isLeft: boolean) => void = () => {};
  const Shop = (): ReactElement => {
    const [isLeft, setLeft] = useState(false);
    const storeSetter = (): void => {
      leave = setLeft;
    };
    return (
      <main ref={storeSetter}>
        {isLeft ? (
          'Another page'
        ) : (
          <HydratedLater>
            <Suspending />
          </HydratedLater>
        )}
      </main>
    );
  };
  root.innerHTML = '<main><!--$--><p>Foot</p><!--/$--></main>';
  const hydration = hydrateOrReplace({ ...options, shop: <Shop />, rendered: key });
  await vi.waitFor(() => expect(Object.keys(root.firstElementChild ?? {})).not.toEqual([]));
  leave(true);
  await hydration;
  expect(root.textContent).toBe('Another page');
});

test('hydration removes the mark of a known customer', async () => {
  const { options, key } = createRenderedPage('Titles');
  document.documentElement.dataset['known'] = '';
  await hydrateOrReplace({ ...options, rendered: key });
  expect(document.documentElement.dataset['known']).toBeUndefined();
});

describe('a page whose own calls do not answer', () => {
  /**
   * A server-rendered page whose shop waits for a call that is never answered. `isBusy`: whether
   * the flow of its screen is busy at first.
   */
  const startHangingPage = (isBusy: boolean) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { root, options, order } = createRenderedPage('Titles');
    const flow = createMachine({
      initial: isBusy ? 'loading' : 'shown',
      states: { loading: { tags: 'busy', on: { known: 'shown' } }, shown: {} },
    });
    const showing = { invoke: { id: 'flow', src: flow }, on: { known: { actions: sendTo('flow', { type: 'known' }) } } };
    const screen = createMachine({ initial: 'routing', states: { routing: { on: { fetched: 'showing' } }, showing } });
    const app = createActor(createMachine({ invoke: { id: 'screen', src: screen } })).start() as unknown as AppActor;
    const client = { calls: () => new Promise<void>(() => {}) };
    const hydration = hydrateOrReplace({ ...options, app, client, rendered: 'another', shop: <main>My titles</main> });
    onTestFinished(() => hydration);
    return {
      send: (type: string): void => (app.getSnapshot().children.screen as AnyActorRef | undefined)?.send({ type }),
      /** Lets time pass. @returns whether the shop has started to render by then */
      drawsAfter: async (milliseconds: number): Promise<boolean> => {
        await vi.advanceTimersByTimeAsync(milliseconds);
        return order.includes('hold');
      },
      readFinalText: async (): Promise<string | null> => {
        await hydration;
        return root.textContent;
      },
    };
  };

  test('a page with a hanging call gets its screen as soon as the shop has a screen', async () => {
    const { send, drawsAfter, readFinalText } = startHangingPage(false);
    expect(await drawsAfter(4_750)).toBe(false);
    send('fetched');
    expect(await drawsAfter(250)).toBe(true);
    expect(await readFinalText()).toBe('My titles');
  });

  test('a page with a hanging call keeps the server-rendered screen while the shop’s screen is loading', async () => {
    const { send, drawsAfter } = startHangingPage(true);
    send('fetched');
    expect(await drawsAfter(6_000)).toBe(false);
    send('known');
    expect(await drawsAfter(250)).toBe(true);
  });

  test('a page with a hanging call keeps the server-rendered screen no longer than 4 s after a press', async () => {
    const { send, drawsAfter } = startHangingPage(true);
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
  ])('a page with a hanging call gets the shop’s screen %s', async (_, isBusy, wait) => {
    const { send, drawsAfter } = startHangingPage(isBusy);
    send('fetched');
    expect(await drawsAfter(wait - 250)).toBe(false);
    expect(await drawsAfter(250)).toBe(true);
  });
});

test('focus and typed text survive a full render', async () => {
  const { root, options } = createRenderedPage('');
  const onInput = vi.fn();
  root.innerHTML =
    '<input name="search" value="lamp"><button data-event="more">One</button><button data-event="more">Two</button>';
  const [field, second] = [root.querySelector('input'), root.querySelectorAll('button')[1]];
  if (field) field.value = 'lamp oil';
  second?.focus();
  const shop = (
    <main>
      <input name="search" defaultValue="lamp" onInput={() => void onInput()} />
      <button data-event="more">One</button>
      <button data-event="more">Two</button>
    </main>
  );
  await hydrateOrReplace({ ...options, shop, rendered: 'another' });
  expect(root.querySelector('input')).not.toBe(field);
  expect([root.querySelector('input')?.value, document.activeElement?.textContent]).toEqual(['lamp oil', 'Two']);
  // No input event is sent, since it would open a list of suggestions.
  expect(onInput).not.toHaveBeenCalled();
});

test('a focused field keeps its text in a full render, and its input is handled', async () => {
  const { root, options } = createRenderedPage('');
  const values: string[] = [];
  root.innerHTML = '<input name="search">';
  const field = root.querySelector('input');
  field?.focus();
  if (field) field.value = 'lamp';
  const shop = <input name="search" defaultValue="" onChange={({ currentTarget: { value } }) => void values.push(value)} />;
  await hydrateOrReplace({ ...options, shop, rendered: 'another' });
  expect([document.activeElement?.localName, values]).toEqual(['input', ['lamp']]);
});

test('a screen that replaces the rendered one is drawn as a whole, later screens may be drawn in parts', async () => {
  const { root, options } = createRenderedPage('');
  const Shop = (): ReactElement => <main>{use(ServerRenderedContext) ? 'whole' : 'in pieces'}</main>;
  const order: (string | null)[] = [];
  const time = { hold: () => {}, resume: () => void order.push(root.textContent) };
  await hydrateOrReplace({ ...options, time, shop: <Shop />, rendered: 'another' });
  await vi.waitFor(() => expect(root.textContent).toBe('in pieces'));
  expect(order).toEqual(['whole']);
});

test.each([
  ['hydrated with the server’s name', true, 'Of the server'],
  ['hydrated with another name', true, 'Of the shop'],
  ['rendered again with the server’s name', false, 'Of the server'],
  ['rendered again with another name', false, 'Of the shop'],
])('a page that is %s has one title, which the shop changes and removes', async (_, isHydrated, name) => {
  const { options, key } = createRenderedPage('');
  let rename: (name: string | null) => void = () => {};
  const Shop = (): ReactElement => {
    const [title, setTitle] = useState<string | null>(name);
    const storeSetter = (): void => {
      rename = setTitle;
    };
    return <main ref={storeSetter}>Titles{title !== null && <title>{title}</title>}</main>;
  };
  const readTitles = () => [...document.querySelectorAll('title')].map(({ textContent }) => textContent);
  await hydrateOrReplace({ ...options, shop: <Shop />, rendered: isHydrated ? key : 'another' });
  expect(readTitles()).toEqual([name]);
  flushSync(() => rename('Of the next page'));
  expect(readTitles()).toEqual(['Of the next page']);
  flushSync(() => rename(null));
  expect(readTitles()).toEqual([]);
});
