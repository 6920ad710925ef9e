import { useLayoutEffect, useState, type ReactElement, type ReactNode } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { takeOver } from '../../src/painting/take-over.ts';
import { keepEarly, painted } from './support/painted-page.tsx';

const chooseOrder = (root: HTMLElement, order: string): void => {
  const sort = root.querySelector('select');
  if (sort) sort.value = order;
  sort?.dispatchEvent(new Event('change', { bubbles: true }));
};

/** The address of the test, which is another one again when it ends. */
const stayAt = (path: string): void => {
  const { pathname } = location;
  history.replaceState(null, '', path);
  onTestFinished(() => history.replaceState(null, '', pathname));
};

describe('what was pressed and chosen before the program came', () => {
  test('is pressed once it has drawn, whatever it has drawn', async () => {
    const { root, taking } = painted('');
    root.innerHTML = '<main><button data-event="retry.pressed">Retry</button></main>';
    const pressed = vi.fn();
    keepEarly(() => {
      root.querySelector('button')?.click();
      // Nobody means it twice who gets no answer.
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
    await takeOver({ ...taking, shop, painted: 'another' });
    expect(pressed).toHaveBeenCalledTimes(1);
  });

  test('is never done to anything else', async () => {
    const { root, taking } = painted('');
    const cards = ['1', '2', '3'].map((id) => `<button data-event="title.added" data-value="${id}">Add</button>`);
    root.innerHTML = `<main>${cards.join('')}<button data-event="more">One</button><button data-event="more">Two</button></main>`;
    const pressed: string[] = [];
    keepEarly(() => {
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
    await takeOver({ ...taking, shop, painted: 'another' });
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
    ['taken over', true],
    ['drawn anew', false],
  ])('is chosen on a screen that is %s', async (_, isSame) => {
    const { root, taking, key } = painted('');
    root.innerHTML = choices;
    const heard = vi.fn();
    const box = (): HTMLInputElement | null => root.querySelector('input');
    const select = (): HTMLSelectElement | null => root.querySelector('select');
    keepEarly(() => {
      box()?.click();
      chooseOrder(root, 'price');
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: isSame ? key : 'another' });
    expect(heard.mock.calls).toEqual([[true], ['price']]);
    await vi.waitFor(() => expect([box()?.checked, select()?.value]).toEqual([true, 'price']));
    box()?.click();
    expect(heard).toHaveBeenLastCalledWith(false);
  });

  test('and taken back is nothing', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML = choices;
    const heard = vi.fn();
    keepEarly(() => {
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: key });
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
  const pricesPainted = `<main>${prices
    .map(
      (each) =>
        `<input type="radio" name="price" data-event="price.chosen" data-value="${each}"${each === 'any' ? ' checked=""' : ''}/>`,
    )
    .join('')}</main>`;

  test.each<[string, boolean, Price[], Price[]]>([
    ['taken over', true, ['free', 'dear'], ['dear']],
    ['drawn anew', false, ['free', 'dear'], ['dear']],
    ['taken over', true, ['free', 'any'], []],
    ['drawn anew', false, ['free', 'any'], []],
    ['taken over', true, ['free', 'dear', 'free'], ['free']],
  ])('of what excludes each other is the last, on a screen that is %s: %#', async (_, isSame, chosen, expected) => {
    const { root, taking, key } = painted('');
    root.innerHTML = pricesPainted;
    const at = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const heard = vi.fn();
    keepEarly(() => chosen.forEach((each) => at(each)?.click()));
    await takeOver({ ...taking, shop: <Prices heard={heard} />, painted: isSame ? key : 'another' });
    expect(heard.mock.calls.flat()).toEqual(expected);
    await vi.waitFor(() => expect(prices.filter((each) => at(each)?.checked)).toEqual([chosen.at(-1)]));
    at('dear')?.click();
    at('any')?.click();
    expect(heard).toHaveBeenLastCalledWith('any');
    expect(prices.filter((each) => at(each)?.checked)).toEqual(['any']);
  });

  test('is heard once more where it was taken back while React took over', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML = pricesPainted;
    const at = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const heard = vi.fn();
    const TakenBack = (): null => {
      // React has taken the first choice for its own by now, and the page's own script still hears.
      useLayoutEffect(() => at('any')?.click(), []);
      return null;
    };
    const shop = (
      <Prices heard={heard}>
        <TakenBack />
      </Prices>
    );
    keepEarly(() => at('free')?.click());
    await takeOver({ ...taking, shop, painted: key });
    expect(heard).not.toHaveBeenCalled();
    at('free')?.click();
    expect(heard.mock.calls).toEqual([['free']]);
    expect([at('any')?.checked, at('free')?.checked]).toEqual([false, true]);
  });

  test.each([
    ['put back', ['price', 'newest'], true, choices],
    ['put back, on a screen that is drawn anew,', ['price', 'newest'], false, choices],
    ['painted and is no longer there', ['oldest'], false, choices.replace('price', 'oldest')],
  ])('an order that was %s changes nothing', async (_, orders, isSame, markup) => {
    const { root, taking, key } = painted('');
    root.innerHTML = markup;
    const heard = vi.fn();
    keepEarly(() => orders.forEach((order) => chooseOrder(root, order)));
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: isSame ? key : 'another' });
    expect(heard).not.toHaveBeenCalled();
    expect(root.querySelector('select')?.value).toBe('newest');
  });

  test('is not lost by a form that would lead to the next page by itself', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML =
      '<main><input type="checkbox" data-event="filter.chosen"/><form data-event="price.submitted"><button>Apply</button></form></main>';
    const order: string[] = [];
    const submitted = vi.fn((event: Event) => event.preventDefault());
    addEventListener('submit', submitted);
    onTestFinished(() => removeEventListener('submit', submitted));
    const apply = (): void => root.querySelector('button')?.click();
    keepEarly(() => {
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
    await takeOver({ ...taking, shop, painted: key });
    expect(order).toEqual(['chosen', 'submitted']);
  });

  test('is sent by its form, with all that was chosen in it before, and is not repeated', () => {
    document.body.innerHTML =
      '<form id="list"></form><input type="checkbox" form="list" name="kind" value="ebook" data-event="filter.chosen"/>' +
      '<input type="checkbox" form="list" name="kind" value="audio" data-event="filter.chosen"/>';
    const form = document.querySelector('form');
    const sent: string[][] = [];
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      sent.push(new FormData(form).getAll('kind').map(String));
    });
    keepEarly(() => document.querySelectorAll('input').forEach((choice) => choice.click()));
    expect(sent).toEqual([['ebook'], ['ebook', 'audio']]);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('is kept where its form would lose an earlier press', () => {
    document.body.innerHTML =
      '<button data-event="more"></button><form id="list"></form><input type="checkbox" form="list" data-event="filter.chosen"/>';
    const sent = vi.fn((event: Event) => event.preventDefault());
    document.querySelector('form')?.addEventListener('submit', sent);
    keepEarly(() => document.querySelectorAll<HTMLElement>('button,input').forEach((each) => each.click()));
    expect(sent).not.toHaveBeenCalled();
    expect(window.earlyPresses?.presses.map(([{ localName }]) => localName)).toEqual(['button', 'input']);
  });

  test('leads to its address at once where it is a link', () => {
    document.body.innerHTML = '<a href="#there" data-event="buy.pressed">Buy</a>';
    const link = document.querySelector('a');
    const heard = vi.fn((event: Event) => event.preventDefault());
    link?.addEventListener('click', heard);
    keepEarly(() => link?.click());
    expect(heard).toHaveBeenCalledTimes(1);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('no form is kept any more once the program cannot come', () => {
    document.body.innerHTML = '<form data-event="search.submitted"><button data-event="more" type="button">More</button></form>';
    const script = document.createElement('script');
    script.type = 'module';
    document.body.append(script);
    const send = (): Event => {
      const event = new Event('submit', { bubbles: true, cancelable: true });
      document.querySelector('form')?.dispatchEvent(event);
      return event;
    };
    keepEarly(() => document.querySelector('button')?.click());
    expect(send().defaultPrevented).toBe(true);
    script.dispatchEvent(new Event('error'));
    expect(send().defaultPrevented).toBe(false);
  });

  test('is chosen on another path of the same list, too', async () => {
    const { root, taking, key } = painted('');
    stayAt('/all/popular');
    root.innerHTML = choices;
    const heard = vi.fn((what: unknown) => what === 'price' && history.replaceState(null, '', '/all?sort=price'));
    keepEarly(() => {
      chooseOrder(root, 'price');
      root.querySelector('input')?.click();
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: key });
    expect(heard.mock.calls).toEqual([['price'], [true]]);
  });

  test('in another order is in that order', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML = choices;
    const heard = vi.fn();
    keepEarly(() => {
      root.querySelector('input')?.click();
      chooseOrder(root, 'price');
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: key });
    expect(heard.mock.calls).toEqual([['price'], [true]]);
  });

  test('is not pressed where an earlier press has led elsewhere', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML = '<main><button data-event="one">One</button><button data-event="two">Two</button></main>';
    const pressed: string[] = [];
    keepEarly(() => root.querySelectorAll('button').forEach((each) => each.click()));
    stayAt('/all');
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
    await takeOver({ ...taking, shop, painted: key });
    expect(pressed).toEqual(['One']);
  });
});
