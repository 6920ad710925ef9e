import { describe, expect, test } from 'vitest';
import type { Category } from '../../machines/model/catalogue/title.ts';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { createFakeServer, xml } from '../support/client/fake-environment.ts';

type Branch = string | { [name: string]: Branch[] };
const toBranch = ({ name, children }: Category): Branch => (children.length > 0 ? { [name]: children.map(toBranch) } : name);
const readCategories = async (innerXml: string) =>
  fetchCategories(createFakeServer([xml(`<Categories>${innerXml}</Categories>`)]).api);
const readTree = async (innerXml: string) => (await readCategories(innerXml)).map(toBranch);
const categoryXml = (id: string, parent = '') =>
  `<Category><Id>${id}</Id><Name>${id}</Name><ParentId>${parent}</ParentId></Category>`;

test('a category is mapped to the model [S3.category] [S3.category-path] [S7.categories]', async () => {
  expect(
    await readCategories(
      '<Category><Id>12</Id><TagId>Sea-Tales</TagId><Name>Sea / Coast Tales</Name><Count>4</Count></Category>',
    ),
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

test('the path of a category without a TagId ends with its Id', async () => {
  const [category] = await readCategories('<Category Id="C7" Name="Essays"/>');
  expect(category).toMatchObject({ tagId: '', tag: false, path: 'essays/c7' });
});

describe('the tree', () => {
  test.each<[string, string, Branch[]]>([
    [
      'a flat list, parents first',
      categoryXml('a') + categoryXml('b', 'a') + categoryXml('c', 'b') + categoryXml('d', 'a'),
      [{ a: [{ b: ['c'] }, 'd'] }],
    ],
    ['a flat list, children first', categoryXml('c', 'b') + categoryXml('b', 'a') + categoryXml('a'), [{ a: [{ b: ['c'] }] }]],
    ['a category whose parent is missing', categoryXml('a') + categoryXml('b', 'gone'), ['a', 'b']],
    ['a category that is its own parent', categoryXml('a', 'a'), ['a']],
    [
      'a circle',
      categoryXml('a', 'c') + categoryXml('b', 'a') + categoryXml('c', 'b') + categoryXml('d', 'b'),
      [{ a: [{ b: ['c', 'd'] }] }],
    ],
    ['a repeated category', categoryXml('a') + categoryXml('a'), ['a']],
    ['an empty list', '', []],
    [
      'categories nested in a list',
      '<Category><Id>a</Id><Name>a</Name><Categories><Category><Id>b</Id><Name>b</Name></Category></Categories></Category>',
      [{ a: ['b'] }],
    ],
    [
      'categories nested without a list, under other names',
      '<category id="a" name="a"><Category id="b" name="b"/><SubCategories><SubCategory id="c" name="c"/></SubCategories></category>',
      [{ a: ['b', 'c'] }],
    ],
    ['a category without a name', '<Category><Id>x</Id></Category>' + categoryXml('a'), ['a']],
  ])('the category tree is built from %s', async (_, innerXml, expected) => {
    expect(await readTree(innerXml)).toEqual(expected);
  });

  test('a category has the id of its parent, or null', async () => {
    const [parentCategory] = await readCategories(categoryXml('a') + categoryXml('b', 'a') + categoryXml('c', 'gone'));
    expect([parentCategory?.parentId, parentCategory?.children[0]?.parentId]).toEqual([null, 'a']);
  });
});
