import { describe, expect, test } from 'vitest';
import type { Category } from '../../machines/model/catalogue/title.ts';
import { categories } from '../../src/client/catalogue/categories.ts';
import { world, xml } from '../support/client/world.ts';

type Branch = string | { [name: string]: Branch[] };
const branch = ({ name, children }: Category): Branch => (children.length > 0 ? { [name]: children.map(branch) } : name);
const read = async (inner: string) => categories(world([xml(`<Categories>${inner}</Categories>`)]).api);
const tree = async (inner: string) => (await read(inner)).map(branch);
const flat = (id: string, parent = '') => `<Category><Id>${id}</Id><Name>${id}</Name><ParentId>${parent}</ParentId></Category>`;

test('a category as the model has it [S3.category] [S3.category-path] [S7.categories]', async () => {
  expect(
    await read('<Category><Id>12</Id><TagId>Sea-Tales</TagId><Name>Sea / Coast Tales</Name><Count>4</Count></Category>'),
  ).toEqual([
    {
      id: '12',
      tagId: 'Sea-Tales',
      name: 'Sea / Coast Tales',
      tag: true,
      path: 'sea-coast-tales/sea-tales',
      key: '12',
      parentId: null,
      children: [],
    },
  ]);
});

test('without a TagId the path ends with the Id', async () => {
  const [category] = await read('<Category Id="C7" Name="Essays"/>');
  expect(category).toMatchObject({ tagId: '', tag: false, path: 'essays/c7' });
});

describe('the tree', () => {
  test.each<[string, string, Branch[]]>([
    ['flat, parents first', flat('a') + flat('b', 'a') + flat('c', 'b') + flat('d', 'a'), [{ a: [{ b: ['c'] }, 'd'] }]],
    ['flat, children first', flat('c', 'b') + flat('b', 'a') + flat('a'), [{ a: [{ b: ['c'] }] }]],
    ['a parent that is missing', flat('a') + flat('b', 'gone'), ['a', 'b']],
    ['its own parent', flat('a', 'a'), ['a']],
    ['a circle', flat('a', 'c') + flat('b', 'a') + flat('c', 'b') + flat('d', 'b'), [{ a: [{ b: ['c', 'd'] }] }]],
    ['the same one twice', flat('a') + flat('a'), ['a']],
    ['none', '', []],
    [
      'nested in a list',
      '<Category><Id>a</Id><Name>a</Name><Categories><Category><Id>b</Id><Name>b</Name></Category></Categories></Category>',
      [{ a: ['b'] }],
    ],
    [
      'nested bare, and named otherwise',
      '<category id="a" name="a"><Category id="b" name="b"/><SubCategories><SubCategory id="c" name="c"/></SubCategories></category>',
      [{ a: ['b', 'c'] }],
    ],
    ['one without a name', '<Category><Id>x</Id></Category>' + flat('a'), ['a']],
  ])('%s', async (_, inner, expected) => {
    expect(await tree(inner)).toEqual(expected);
  });

  test('children name their parent', async () => {
    const [a] = await read(flat('a') + flat('b', 'a') + flat('c', 'gone'));
    expect([a?.parentId, a?.children[0]?.parentId]).toEqual([null, 'a']);
  });
});
