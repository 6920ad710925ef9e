import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { toListAddress } from '../../../machines/model/catalogue/list-form.ts';
import { parseListQuery, changeListPath, type Facets, type ListQuery } from '../../../machines/model/catalogue/list.ts';
import { parsePath } from '../../../machines/path-models/route-at.ts';
import { store, summaries } from '../../support/views/fixtures.ts';
import type { ListAnswer } from '../../support/views/list.ts';
import { openShop } from '../../support/views/shop.tsx';
import { resolvesTo } from '../../support/views/world.ts';

const allTitles: ListAnswer = { titles: summaries, total: 3, hasMore: false, categoryName: null, categoryId: null };

const countedFacets: Facets = {
  total: 9,
  currency: 'EUR',
  kinds: [
    { kind: 'ebook', count: 6 },
    { kind: 'audio', count: 1 },
  ],
  categories: [
    { id: '10', count: 5 },
    { id: '11', count: 3 },
    { id: '12', count: 2 },
  ],
  languages: [
    { language: 'fr', count: 7 },
    { language: 'en', count: 2 },
  ],
  free: 3,
  prices: [
    { from: null, to: 4.99, count: 4 },
    { from: 5, to: 9.99, count: 2 },
  ],
};

const options = ['newest', 'title', 'price'].map((value) => ({ value, text: value }));

/** Opens a list with all its choices, and returns its form. */
const openFormAt = async (path: string, titles = allTitles): Promise<HTMLFormElement> => {
  openShop(path, {
    store: resolvesTo({ ...store, allTitlesSortOptions: options }),
    titles: resolvesTo(titles),
    facets: resolvesTo(countedFacets),
  });
  await screen.findByRole('group', { name: 'Language', hidden: true });
  const form = document.querySelector<HTMLFormElement>('#list-form');
  if (!form) throw new Error('The list has no form.');
  return form;
};

/** Returns the path to which the server redirects a browser that submits the form. */
const getSubmittedAddress = (form: HTMLFormElement, submitter?: HTMLElement): string => {
  const fields = [...new FormData(form, submitter)].map(
    ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
  );
  return toListAddress(new URL(form.action).pathname, fields) ?? 'not an address of the form';
};

const parseQuery = (path: string): ListQuery => parseListQuery(parsePath(path));

const findChoices = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(
    (element): element is HTMLInputElement => element instanceof HTMLInputElement && 'event' in element.dataset,
  );

describe('the form of a list, submitted without scripts', () => {
  test.each([
    '/all',
    '/all?sort=title&kind=audio&language=en,fr&search=sea',
    '/all?pricefrom=5&priceto=9.99&kind=ebook',
    '/all?free=true&author=A+B&lang=fr',
    '/all/popular?kind=audio',
    '/all/free',
    '/all?category=10',
    '/all?category=12',
    '/all?category=11,77&kind=video',
    '/all?sort=price&after=cursor',
  ])('the form of a list at %s leads to the same address as each choice with scripts', async (path) => {
    const form = await openFormAt(path);
    const initialAddress = getSubmittedAddress(form);
    expect(parseQuery(initialAddress)).toEqual({ ...parseQuery(path), after: undefined });
    for (const choice of findChoices(form)) {
      if (choice.disabled || (choice.type === 'radio' && choice.checked)) continue;
      const changes = Object.fromEntries(new URLSearchParams(choice.dataset['value']));
      // With scripts, removing a subcategory chooses its parent category again.
      if (choice.checked && changes['category'] === '10') changes['category'] = '';
      const checkedBefore = findChoices(form).map((choiceBefore) => [choiceBefore, choiceBefore.checked] as const);
      choice.checked = !choice.checked;
      const expected = parseQuery(changeListPath(parsePath(path), changes));
      const submittedQuery = parseQuery(getSubmittedAddress(form));
      // A category contains all titles of a subcategory that is chosen with it.
      if (submittedQuery.categories.join() === '10,12') submittedQuery.categories = ['10'];
      expect([choice.dataset['value'], submittedQuery]).toEqual([choice.dataset['value'], expected]);
      for (const [choiceBefore, checked] of checkedBefore) choiceBefore.checked = checked;
    }
    const sort = form.elements.namedItem('sort');
    if (!(sort instanceof HTMLSelectElement)) throw new Error('The form has no sort order.');
    sort.value = 'price';
    expect(parseQuery(getSubmittedAddress(form))).toEqual(parseQuery(changeListPath(parsePath(path), { sort: 'price' })));
  });

  test.each(['/all', '/all/free', '/all?pricefrom=5&priceto=9.99&sort=price'])(
    'the button beside the prices submits them from %s',
    async (path) => {
      const form = await openFormAt(path);
      const [fromField, toField] = ['pricefrom', 'priceto'].map((name) => form.elements.namedItem(name) as HTMLInputElement);
      if (fromField && toField) [fromField.value, toField.value] = ['2', '3,5'];
      const apply = screen.getByRole('button', { name: 'Apply', hidden: true });
      expect(parseQuery(getSubmittedAddress(form, apply))).toMatchObject({
        priceFrom: 2,
        priceTo: 3.5,
        free: false,
        sort: parseQuery(path).sort,
      });
      // Enter in a field presses the form's first button, regardless of its position.
      expect([...form.elements].find((element) => element instanceof HTMLButtonElement && element.type === 'submit')).toBe(apply);
    },
  );

  test.each(['/all/popular', '/all?free=true&sort=title'])(
    'the form keeps the address %s in a store without prices',
    async (path) => {
      openShop(path, {
        store: resolvesTo({ ...store, showTitlePrice: false, allTitlesSortOptions: options }),
        titles: resolvesTo(allTitles),
        facets: resolvesTo(countedFacets),
      });
      await screen.findByRole('group', { name: 'Language', hidden: true });
      const form = document.querySelector<HTMLFormElement>('#list-form');
      expect(form && parseQuery(getSubmittedAddress(form))).toEqual(parseQuery(path));
    },
  );
});

test.each([
  ['/all', 'kind=ebook'],
  ['/all', 'form=other'],
  ['//elsewhere.example/all', 'form=list'],
  ['/\\elsewhere.example/all', 'form=list'],
])('%s?%s is not an address of the form', (path, search) => {
  expect(toListAddress(path, [...new URLSearchParams(search)])).toBeNull();
});

test('a button that shows more titles is a link to the following page', async () => {
  openShop('/all?sort=title', { titles: resolvesTo({ ...allTitles, hasMore: true, behindFirst: 'c12' }) });
  const more = await screen.findByRole('link', { name: 'Show more' });
  expect([more.getAttribute('href'), more.getAttribute('rel')]).toEqual(['/all?sort=title&after=c12', 'next nofollow']);
});
