import { useLayoutEffect, useState, type ReactElement, type ReactNode } from 'react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hydrateOrReplace } from '../../src/ssr/hydrate-or-replace.ts';
import { queueEarlyEvents, createRenderedPage } from './support/rendered-page.tsx';

const chooseSort = (root: HTMLElement, sortValue: string): void => {
  const sort = root.querySelector('select');
  if (sort) sort.value = sortValue;
  sort?.dispatchEvent(new Event('change', { bubbles: true }));
};

/** Sets the path of the page for the test, and restores it afterwards. */
const visitPath = (path: string): void => {
  const { pathname } = location;
  history.replaceState(null, '', path);
  onTestFinished(() => history.replaceState(null, '', pathname));
};

describe('a press or a choice before the scripts load', () => {
  test('an early press is replayed once after the shop’s screen has replaced the rendered one', async () => {
    const { root, options } = createRenderedPage('');
    root.innerHTML = '<main><button data-event="retry.pressed">Retry</button></main>';
    const onPress = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('button')?.click();
      // A customer who repeats a press because nothing happened means it once.
      root.querySelector('button')?.click();
    });
    const shop = (
      <main>
        The shop can’t be reached
        <button data-event="retry.pressed" onClick={onPress}>
          Retry
        </button>
      </main>
    );
    await hydrateOrReplace({ ...options, shop, rendered: 'another' });
    expect(onPress).toHaveBeenCalledTimes(1);
  });

  test('an early press is never applied to another element', async () => {
    const { root, options } = createRenderedPage('');
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
    await hydrateOrReplace({ ...options, shop, rendered: 'another' });
    expect(pressed).toEqual(['3']);
  });

  const Choices = ({ onChoice }: { onChoice: (what: unknown) => void }): ReactElement => {
    const [isChosen, setChosen] = useState(false);
    const [sort, setSort] = useState('newest');
    const choose = (checked: boolean): void => {
      onChoice(checked);
      setChosen(checked);
    };
    const chooseSort = (value: string): void => {
      onChoice(value);
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
  const choicesHtml =
    '<main><input type="checkbox" data-event="filter.chosen"/><select data-event="sort.chosen">' +
    '<option value="newest" selected="">Newest</option><option value="price">Price</option></select></main>';

  test.each([
    ['hydrated', true],
    ['rendered again', false],
  ])('an early choice is restored on a screen that is %s', async (_, isSame) => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = choicesHtml;
    const onChoice = vi.fn();
    const findCheckbox = (): HTMLInputElement | null => root.querySelector('input');
    const findSelect = (): HTMLSelectElement | null => root.querySelector('select');
    queueEarlyEvents(() => {
      findCheckbox()?.click();
      chooseSort(root, 'price');
    });
    await hydrateOrReplace({ ...options, shop: <Choices onChoice={onChoice} />, rendered: isSame ? key : 'another' });
    expect(onChoice.mock.calls).toEqual([[true], ['price']]);
    await vi.waitFor(() => expect([findCheckbox()?.checked, findSelect()?.value]).toEqual([true, 'price']));
    findCheckbox()?.click();
    expect(onChoice).toHaveBeenLastCalledWith(false);
  });

  test('an early choice that was undone is dropped', async () => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = choicesHtml;
    const onChoice = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...options, shop: <Choices onChoice={onChoice} />, rendered: key });
    expect(onChoice).not.toHaveBeenCalled();
  });

  const prices = ['any', 'free', 'dear'] as const;
  type Price = (typeof prices)[number];

  const Prices = ({ onChoice, children }: { onChoice: (what: Price) => void; children?: ReactNode }): ReactElement => {
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
              onChoice(each);
              setPrice(each);
            }}
          />
        ))}
        {children}
      </main>
    );
  };
  const pricesHtml = `<main>${prices
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
  ])('the last of mutually exclusive early choices is kept on a screen that is %s: %#', async (_, isSame, chosen, expected) => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = pricesHtml;
    const findRadio = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const onChoice = vi.fn();
    queueEarlyEvents(() => chosen.forEach((each) => findRadio(each)?.click()));
    await hydrateOrReplace({ ...options, shop: <Prices onChoice={onChoice} />, rendered: isSame ? key : 'another' });
    expect(onChoice.mock.calls.flat()).toEqual(expected);
    await vi.waitFor(() => expect(prices.filter((each) => findRadio(each)?.checked)).toEqual([chosen.at(-1)]));
    findRadio('dear')?.click();
    findRadio('any')?.click();
    expect(onChoice).toHaveBeenLastCalledWith('any');
    expect(prices.filter((each) => findRadio(each)?.checked)).toEqual(['any']);
  });

  test('an early choice that is undone during hydration is not replayed', async () => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = pricesHtml;
    const findRadio = (each: Price): HTMLInputElement | null => root.querySelector(`[data-value="${each}"]`);
    const onChoice = vi.fn();
    const UndoDuringHydration = (): null => {
      // React already owns the first choice, and the page's own script still listens.
      useLayoutEffect(() => findRadio('any')?.click(), []);
      return null;
    };
    const shop = (
      <Prices onChoice={onChoice}>
        <UndoDuringHydration />
      </Prices>
    );
    queueEarlyEvents(() => findRadio('free')?.click());
    await hydrateOrReplace({ ...options, shop, rendered: key });
    expect(onChoice).not.toHaveBeenCalled();
    findRadio('free')?.click();
    expect(onChoice.mock.calls).toEqual([['free']]);
    expect([findRadio('any')?.checked, findRadio('free')?.checked]).toEqual([false, true]);
  });

  test.each([
    ['put back', ['price', 'newest'], true, choicesHtml],
    ['put back, on a screen that is rendered again,', ['price', 'newest'], false, choicesHtml],
    ['rendered and is no longer there', ['oldest'], false, choicesHtml.replace('price', 'oldest')],
  ])('an early choice of a sort order that was %s changes nothing', async (_, sortOrders, isSame, markup) => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = markup;
    const onChoice = vi.fn();
    queueEarlyEvents(() => sortOrders.forEach((sortOrder) => chooseSort(root, sortOrder)));
    await hydrateOrReplace({ ...options, shop: <Choices onChoice={onChoice} />, rendered: isSame ? key : 'another' });
    expect(onChoice).not.toHaveBeenCalled();
    expect(root.querySelector('select')?.value).toBe('newest');
  });

  test('an early choice is replayed before the submission of a form that the page has held back', async () => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML =
      '<main><input type="checkbox" data-event="filter.chosen"/><form data-event="price.submitted"><button>Apply</button></form></main>';
    const order: string[] = [];
    const onSubmitEvent = vi.fn((event: Event) => event.preventDefault());
    addEventListener('submit', onSubmitEvent);
    onTestFinished(() => removeEventListener('submit', onSubmitEvent));
    const apply = (): void => root.querySelector('button')?.click();
    queueEarlyEvents(() => {
      apply();
      expect(onSubmitEvent).toHaveBeenCalledTimes(1);
      root.querySelector('input')?.click();
      apply();
      expect(onSubmitEvent).toHaveBeenCalledTimes(1);
    });
    const shop = (
      <main>
        <input type="checkbox" data-event="filter.chosen" onChange={() => void order.push('chosen')} />
        <form data-event="price.submitted" onSubmit={() => void order.push('submitted')}>
          <button>Apply</button>
        </form>
      </main>
    );
    await hydrateOrReplace({ ...options, shop, rendered: key });
    expect(order).toEqual(['chosen', 'submitted']);
  });

  test('an early choice is submitted by its form with all earlier choices, and is not replayed', () => {
    document.body.innerHTML =
      '<form id="list"></form><input type="checkbox" form="list" name="kind" value="ebook" data-event="filter.chosen"/>' +
      '<input type="checkbox" form="list" name="kind" value="audio" data-event="filter.chosen"/>';
    const form = document.querySelector('form');
    const submissions: string[][] = [];
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      submissions.push(new FormData(form).getAll('kind').map(String));
    });
    queueEarlyEvents(() => document.querySelectorAll('input').forEach((choice) => choice.click()));
    expect(submissions).toEqual([['ebook'], ['ebook', 'audio']]);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('an early choice is queued, not submitted, when its form would lose an earlier press', () => {
    document.body.innerHTML =
      '<button data-event="more"></button><form id="list"></form><input type="checkbox" form="list" data-event="filter.chosen"/>';
    const onSubmitEvent = vi.fn((event: Event) => event.preventDefault());
    document.querySelector('form')?.addEventListener('submit', onSubmitEvent);
    queueEarlyEvents(() => document.querySelectorAll<HTMLElement>('button,input').forEach((each) => each.click()));
    expect(onSubmitEvent).not.toHaveBeenCalled();
    expect(window.earlyPresses?.presses.map(([{ localName }]) => localName)).toEqual(['button', 'input']);
  });

  test('an early press follows a link at once', () => {
    document.body.innerHTML = '<a href="#there" data-event="buy.pressed">Buy</a>';
    const link = document.querySelector('a');
    const onClickEvent = vi.fn((event: Event) => event.preventDefault());
    link?.addEventListener('click', onClickEvent);
    queueEarlyEvents(() => link?.click());
    expect(onClickEvent).toHaveBeenCalledTimes(1);
    expect(window.earlyPresses?.presses).toEqual([]);
  });

  test('no form is held back once a script has failed to load', () => {
    document.body.innerHTML = '<form data-event="search.submitted"><button data-event="more" type="button">More</button></form>';
    const script = document.createElement('script');
    script.type = 'module';
    document.body.append(script);
    const dispatchSubmit = (): Event => {
      const event = new Event('submit', { bubbles: true, cancelable: true });
      document.querySelector('form')?.dispatchEvent(event);
      return event;
    };
    queueEarlyEvents(() => document.querySelector('button')?.click());
    expect(dispatchSubmit().defaultPrevented).toBe(true);
    script.dispatchEvent(new Event('error'));
    expect(dispatchSubmit().defaultPrevented).toBe(false);
  });

  test('early choices are restored on another path of the same list', async () => {
    const { root, options, key } = createRenderedPage('');
    visitPath('/all/popular');
    root.innerHTML = choicesHtml;
    const onChoice = vi.fn((what: unknown) => what === 'price' && history.replaceState(null, '', '/all?sort=price'));
    queueEarlyEvents(() => {
      chooseSort(root, 'price');
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...options, shop: <Choices onChoice={onChoice} />, rendered: key });
    expect(onChoice.mock.calls).toEqual([['price'], [true]]);
  });

  test('early choices are restored in the order of their last changes', async () => {
    const { root, options, key } = createRenderedPage('');
    root.innerHTML = choicesHtml;
    const onChoice = vi.fn();
    queueEarlyEvents(() => {
      root.querySelector('input')?.click();
      chooseSort(root, 'price');
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await hydrateOrReplace({ ...options, shop: <Choices onChoice={onChoice} />, rendered: key });
    expect(onChoice.mock.calls).toEqual([['price'], [true]]);
  });

  test('an early press is not replayed when an earlier press has navigated away', async () => {
    const { root, options, key } = createRenderedPage('');
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
    await hydrateOrReplace({ ...options, shop, rendered: key });
    expect(pressed).toEqual(['One']);
  });
});
