import { useState, type ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { takeOver } from '../../src/painting/take-over.ts';
import { keepEarly, painted } from './support/painted-page.tsx';

describe('what was pressed and chosen before the program came', () => {
  test('is pressed once it has drawn, whatever it has drawn', async () => {
    const { root, taking } = painted('');
    root.innerHTML = '<main><button data-event="retry.pressed">Retry</button></main>';
    const pressed = vi.fn();
    const stop = keepEarly(() => {
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
    stop();
  });

  test('is never done to anything else', async () => {
    const { root, taking } = painted('');
    const cards = ['1', '2', '3'].map((id) => `<button data-event="title.added" data-value="${id}">Add</button>`);
    root.innerHTML = `<main>${cards.join('')}<button data-event="more">One</button><button data-event="more">Two</button></main>`;
    const pressed: string[] = [];
    const stop = keepEarly(() => {
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
    stop();
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
    const stop = keepEarly(() => {
      box()?.click();
      const sort = select();
      if (sort) sort.value = 'price';
      sort?.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: isSame ? key : 'another' });
    expect(heard.mock.calls).toEqual([[true], ['price']]);
    await vi.waitFor(() => expect([box()?.checked, select()?.value]).toEqual([true, 'price']));
    box()?.click();
    expect(heard).toHaveBeenLastCalledWith(false);
    stop();
  });

  test('and taken back is nothing', async () => {
    const { root, taking, key } = painted('');
    root.innerHTML = choices;
    const heard = vi.fn();
    const stop = keepEarly(() => {
      root.querySelector('input')?.click();
      root.querySelector('input')?.click();
    });
    await takeOver({ ...taking, shop: <Choices heard={heard} />, painted: key });
    expect(heard).not.toHaveBeenCalled();
    stop();
  });
});
