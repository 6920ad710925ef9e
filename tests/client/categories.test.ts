import { describe, expect, test } from 'vitest';
import type { Category } from '../../machines/model/catalogue/title.ts';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { environment, xml } from '../support/client/fake-environment.ts';

type Branch = string | { [name: string]: Branch[] };
const branch = ({ name, children }: Category): Branch => (children.length > 0 ? { [name]: children.map(branch) } : name);
const readCategories = async (inner: string) => fetchCategories(environment([xml(`<Categories>${inner}</Categories>`)]).api);
const tree = async (inner: string) => (await readCategories(inner)).map(branch);
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

test('without a TagId the path ends with the Id', async () => {
  const [category] = await readCategories('<Category Id="C7" Name="Essays"/>');
  expect(category).toMatchObject({ tagId: '', tag: false, path: 'essays/c7' });
});

describe('the tree', () => {
  test.each<[string, string, Branch[]]>([
    [
      'flat, parents first',
      categoryXml('a') + categoryXml('b', 'a') + categoryXml('c', 'b') + categoryXml('d', 'a'),
      [{ a: [{ b: ['c'] }, 'd'] }],
    ],
    ['flat, children first', categoryXml('c', 'b') + categoryXml('b', 'a') + categoryXml('a'), [{ a: [{ b: ['c'] }] }]],
    ['a parent that is missing', categoryXml('a') + categoryXml('b', 'gone'), ['a', 'b']],
    ['its own parent', categoryXml('a', 'a'), ['a']],
    [
      'a circle',
      categoryXml('a', 'c') + categoryXml('b', 'a') + categoryXml('c', 'b') + categoryXml('d', 'b'),
      [{ a: [{ b: ['c', 'd'] }] }],
    ],
    ['the same one twice', categoryXml('a') + categoryXml('a'), ['a']],
    ['none', '', []],
    [
      'nested in a list',
      '<Category><Id>a</Id><Name>a</Name><Categories><Category><Id>b</Id><Name>b</Name></Category></Categories></Category>',
      [{ a: ['b'] }],
    ],
    [
      'nested without a list, under other names',
      '<category id="a" name="a"><Category id="b" name="b"/><SubCategories><SubCategory id="c" name="c"/></SubCategories></category>',
      [{ a: ['b', 'c'] }],
    ],
    ['one without a name', '<Category><Id>x</Id></Category>' + categoryXml('a'), ['a']],
  ])('%s', async (_, inner, expected) => {
    expect(await tree(inner)).toEqual(expected);
  });

  test('children name their parent', async () => {
    const [a] = await readCategories(categoryXml('a') + categoryXml('b', 'a') + categoryXml('c', 'gone'));
    expect([a?.parentId, a?.children[0]?.parentId]).toEqual([null, 'a']);
  });
});
