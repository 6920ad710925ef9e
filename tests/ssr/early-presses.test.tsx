import { useLayoutEffect, useState, type ReactElement, type ReactNode } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hydrateOrReplace } from '../../src/ssr/hydrate-or-replace.ts';
import { queueEarlyEvents, rendered } from './support/rendered-page.tsx';

const chooseOrder = (root: HTMLElement, order: string): void => {
  const sort = root.querySelector('select');
  if (sort) sort.value = order;
  sort?.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Sets the address for the test, and restores it afterwards. */
const visitPath = (path: string): void => {
  const { pathname } = location;
  history.replaceState(null, '', path);
  onTestFinished(() => history.replaceState(null, '', pathname));
};

describe('a press or a choice before the scripts load', () => {
  test('is replayed after hydration, on any screen that was rendered', async () => {
    const { root, taking } = rendered('');
    root.innerHTML = '<main><button data-event="retry.pressed">Retry</button></main>';
    const pressed = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('button')?.click();
      // A customer who repeats a press because nothing happened means it once.
      root.querySelector('button')?.click();
    });
    const shop = (
      <main>
        The shop can’t be reached
        <button data-event="retry.pressed" onClick={pressed}>
          Retry
        </button>
      </main>
    );
    await hydrateOrReplace({ ...taking, shop, rendered: 'another' });
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  test('is never applied to another element', async () => {
    const { root, taking } = rendered('');
    const cards = ['1', '2', '3'].map((id) => `<button data-event="title.added" data-value="${id}">Add</button>`);
    root.innerHTML = `<main>${cards.join('')}<button data-event="more">One</button><button data-event="more">Two</button></main>`;
    const pressed: string[] = [];
    queueEarlyEvents(() => {
      root.querySelector<HTMLElement>('[data-value="2"]')?.click();
      root.querySelector<HTMLElement>('[data-value="3"]')?.click();
      root.querySelectorAll<HTMLElement>('[data-event=more]')[1]?.click();
    });
    const shop = (
      <main>
        {['1', '3'].map((id) => (
          <button key={id} data-event="title.added" data-value={id} onClick={() => void pressed.push(id)}>
            Add
          </button>
        ))}
        <button data-event="more" onClick={() => void pressed.push('more')}>
          Two
        </button>
      </main>
    );
    await hydrateOrReplace({ ...taking, shop, rendered: 'another' });
    expect(pressed).toEqual(['3']);
  });

  const Choices = ({ heard }: { heard: (what: unknown) => void }): ReactElement => {
    const [isChosen, setChosen] = useState(false);
    const [sort, setSort] = useState('newest');
    const choose = (checked: boolean): void => {
      heard(checked);
      setChosen(checked);
    };
    const chooseSort = (value: string): void => {
      heard(value);
      setSort(value);
    };
    return (
      <main>
        <input
          type="checkbox"
          data-event="filter.chosen"
          checked={isChosen}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        <select data-event="sort.chosen" value={sort} onChange={({ currentTarget }) => chooseSort(currentTarget.value)}>
          <option value="newest">Newest</option>
          <option value="price">Price</option>
        </select>
      </main>
    );
  };
  const choices =
    '<main><input type="checkbox" data-event="filter.chosen"/><select data-event="sort.chosen">' +
    '<option value="newest" selected="">Newest</option><option value="price">Price</option></select></main>';

  test.each([
    ['hydrated', true],
    ['rendered again', false],
  ])('is restored on a screen that is %s', async (_, isSame) => {
    const { root, taking, key } = rendered('');
    root.innerHTML = choices;
    const heard = vi.fn();
    const box = (): HTMLInputElement | null => root.querySelector('input');
    const select = (): HTMLSelectElement | null => root.querySelector('select');
    queueEarlyEvents(() => {
      box()?.click();
      chooseOrder(root, 'price');
    });
    await hydrateOrReplace({ ...taking, shop: <Choices heard={heard} />, rendered: isSame ? key : 'another' });
    expect(heard.mock.calls).toEqual([[true], ['price']]);
    await vi.waitFor(() => expect([box()?.checked, select()?.value]).toEqual([true, 'price']));
    box()?.click();
    expect(heard).toHaveBeenLastCalledWith(false);
  });

  test('is dropped if it was undone', async () => {
    const { root, taking, key } = rendered('');
    root.innerHTML = choices;
    const heard = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...taking, shop: <Choices heard={heard} />, rendered: key });
    expect(heard).not.toHaveBeenCalled();
  });

  const prices = ['any', 'free', 'dear'] as const;
  type Price = (typeof prices)[number];

  const Prices = ({ heard, children }: { heard: (what: Price) => void; children?: ReactNode }): ReactElement => {
    const [price, setPrice] = useState<Price>('any');
    return (
      <main>
        {prices.map((each) => (
          <input
            key={each}
            type="radio"
            name="price"
            data-event="price.chosen"
            data-value={each}
            checked={each === price}
            onChange={() => {
              heard(each);
              setPrice(each);
            }}
          />
        ))}
        {children}
      </main>
    );
  };
  const pricesRendered = `<main>${prices
    .map(
      (each) =>
        `<input type="radio" name="price" data-event="price.chosen" data-value="${each}"${each === 'any' ? ' checked=""' : ''}/>`,
    )
    .join('')}</main>`;

  test.each<[string, boolean, Price[], Price[]]>([
    ['hydrated', true, ['free', 'dear'], ['dear']],
    ['rendered again', false, ['free', 'dear'], ['dear']],
    ['hydrated', true, ['free', 'any'], []],
    ['rendered again', false, ['free', 'any'], []],
    ['hydrated', true, ['free', 'dear', 'free'], ['free']],
  ])('keeps the last of mutually exclusive options, on a screen that is %s: %#', async (_, isSame, chosen, expected) => {
    const { root, taking, key } = rendered('');
    root.innerHTML = pricesRendered;
    const at = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const heard = vi.fn();
    queueEarlyEvents(() => chosen.forEach((each) => at(each)?.click()));
    await hydrateOrReplace({ ...taking, shop: <Prices heard={heard} />, rendered: isSame ? key : 'another' });
    expect(heard.mock.calls.flat()).toEqual(expected);
    await vi.waitFor(() => expect(prices.filter((each) => at(each)?.checked)).toEqual([chosen.at(-1)]));
    at('dear')?.click();
    at('any')?.click();
    expect(heard).toHaveBeenLastCalledWith('any');
    expect(prices.filter((each) => at(each)?.checked)).toEqual(['any']);
  });

  test('is handled once when it was undone during hydration', async () => {
    const { root, taking, key } = rendered('');
    root.innerHTML = pricesRendered;
    const at = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const heard = vi.fn();
    const TakenBack = (): null => {
      // React already owns the first choice, and the page's own script still listens.
      useLayoutEffect(() => at('any')?.click(), []);
      return null;
    };
    const shop = (
      <Prices heard={heard}>
        <TakenBack />
      </Prices>
    );
    queueEarlyEvents(() => at('free')?.click());
    await hydrateOrReplace({ ...taking, shop, rendered: key });
    expect(heard).not.toHaveBeenCalled();
    at('free')?.click();
    expect(heard.mock.calls).toEqual([['free']]);
    expect([at('any')?.checked, at('free')?.checked]).toEqual([false, true]);
  });

  test.each([
    ['put back', ['price', 'newest'], true, choices],
    ['put back, on a screen that is rendered again,', ['price', 'newest'], false, choices],
    ['rendered and is no longer there', ['oldest'], false, choices.replace('price', 'oldest')],
  ])('an order that was %s changes nothing', async (_, orders, isSame, markup) => {
    const { root, taking, key } = rendered('');
    root.innerHTML = markup;
    const heard = vi.fn();
    queueEarlyEvents(() => orders.forEach((order) => chooseOrder(root, order)));
    await hydrateOrReplace({ ...taking, shop: <Choices heard={heard} />, rendered: isSame ? key : 'another' });
    expect(heard).not.toHaveBeenCalled();
    expect(root.querySelector('select')?.value).toBe('newest');
  });

  test('survives a form that would submit by itself', async () => {
    const { root, taking, key } = rendered('');
    root.innerHTML =
      '<main><input type="checkbox" data-event="filter.chosen"/><form data-event="price.submitted"><button>Apply</button></form></main>';
    const order: string[] = [];
    const submitted = vi.fn((event: Event) => event.preventDefault());
    addEventListener('submit', submitted);
    onTestFinished(() => removeEventListener('submit', submitted));
    const apply = (): void => root.querySelector('button')?.click();
    queueEarlyEvents(() => {
      apply();
      expect(submitted).toHaveBeenCalledTimes(1);
      root.querySelector('input')?.click();
      apply();
      expect(submitted).toHaveBeenCalledTimes(1);
    });
    const shop = (
      <main>
        <input type="checkbox" data-event="filter.chosen" onChange={() => void order.push('chosen')} />
        <form data-event="price.submitted" onSubmit={() => void order.push('submitted')}>
          <button>Apply</button>
        </form>
      </main>
    );
    await hydrateOrReplace({ ...taking, shop, rendered: key });
    expect(order).toEqual(['chosen', 'submitted']);
  });

  test('is submitted by its form, with all earlier choices in it, and is not repeated', () => {
    document.body.innerHTML =
      '<form id="list"></form><input type="checkbox" form="list" name="kind" value="ebook" data-event="filter.chosen"/>' +
      '<input type="checkbox" form="list" name="kind" value="audio" data-event="filter.chosen"/>';
    const form = document.querySelector('form');
    const sent: string[][] = [];
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      sent.push(new FormData(form).getAll('kind').map(String));
    });
    queueEarlyEvents(() => document.querySelectorAll('input').forEach((choice) => choice.click()));
    expect(sent).toEqual([['ebook'], ['ebook', 'audio']]);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('is kept when its form would lose an earlier press', () => {
    document.body.innerHTML =
      '<button data-event="more"></button><form id="list"></form><input type="checkbox" form="list" data-event="filter.chosen"/>';
    const sent = vi.fn((event: Event) => event.preventDefault());
    document.querySelector('form')?.addEventListener('submit', sent);
    queueEarlyEvents(() => document.querySelectorAll<HTMLElement>('button,input').forEach((each) => each.click()));
    expect(sent).not.toHaveBeenCalled();
    expect(window.earlyPresses?.presses.map(([{ localName }]) => localName)).toEqual(['button', 'input']);
  });

  test('follows a link at once', () => {
    document.body.innerHTML = '<a href="#there" data-event="buy.pressed">Buy</a>';
    const link = document.querySelector('a');
    const heard = vi.fn((event: Event) => event.preventDefault());
    link?.addEventListener('click', heard);
    queueEarlyEvents(() => link?.click());
    expect(heard).toHaveBeenCalledTimes(1);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('no form is held back once the scripts cannot load', () => {
    document.body.innerHTML = '<form data-event="search.submitted"><button data-event="more" type="button">More</button></form>';
    const script = document.createElement('script');
    script.type = 'module';
    document.body.append(script);
    const send = (): Event => {
      const event = new Event('submit', { bubbles: true, cancelable: true });
      document.querySelector('form')?.dispatchEvent(event);
      return event;
    };
    queueEarlyEvents(() => document.querySelector('button')?.click());
    expect(send().defaultPrevented).toBe(true);
    script.dispatchEvent(new Event('error'));
    expect(send().defaultPrevented).toBe(false);
  });

  test('is restored on another path of the same list', async () => {
    const { root, taking, key } = rendered('');
    visitPath('/all/popular');
    root.innerHTML = choices;
    const heard = vi.fn((what: unknown) => what === 'price' && history.replaceState(null, '', '/all?sort=price'));
    queueEarlyEvents(() => {
      chooseOrder(root, 'price');
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...taking, shop: <Choices heard={heard} />, rendered: key });
    expect(heard.mock.calls).toEqual([['price'], [true]]);
  });

  test('made in another order is restored in that order', async () => {
    const { root, taking, key } = rendered('');
    root.innerHTML = choices;
    const heard = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('input')?.click();
      chooseOrder(root, 'price');
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...taking, shop: <Choices heard={heard} />, rendered: key });
    expect(heard.mock.calls).toEqual([['price'], [true]]);
  });

  test('is not replayed when an earlier press has navigated away', async () => {
    const { root, taking, key } = rendered('');
    root.innerHTML = '<main><button data-event="one">One</button><button data-event="two">Two</button></main>';
    const pressed: string[] = [];
    queueEarlyEvents(() => root.querySelectorAll('button').forEach((each) => each.click()));
    visitPath('/all');
    const go = (what: string): void => {
      pressed.push(what);
      history.pushState(null, '', `/${what}`);
    };
    const shop = (
      <main>
        {['One', 'Two'].map((each) => (
          <button key={each} data-event={each.toLowerCase()} onClick={() => go(each)}>
            {each}
          </button>
        ))}
      </main>
    );
    await hydrateOrReplace({ ...taking, shop, rendered: key });
    expect(pressed).toEqual(['One']);
  });
});
