import type { Category } from '../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { reportFailure } from '../wire/report-failure.ts';
import { childrenOf, textIn, type XmlNode } from '../wire/xml-node.ts';

const call = 'categories';

const dashed = (name: string): string => name.toLowerCase().replace(/[\s/]+/g, '-');

const categoryOf = (node: XmlNode, nestedIn: string | null): Category | null => {
  const id = textIn(node, 'Id');
  const name = textIn(node, 'Name');
  if (id === undefined || name === undefined) return null;
  const tagId = textIn(node, 'TagId') ?? '';
  return {
    id,
    tagId,
    name,
    tag: tagId !== '',
    path: `${dashed(name)}/${(tagId || id).toLowerCase()}`,
    key: id,
    parentId: textIn(node, 'ParentId') ?? nestedIn,
    children: [],
  };
};

/** Every category of an answer, whether it stands flat or inside its parent; what lacks an Id or a Name is left out. */
export const flatCategories = (node: XmlNode, nestedIn: string | null): Category[] => {
  const lists = ['Categories', 'SubCategories', 'Children'].flatMap((name) => childrenOf(node, name));
  const nodes = [node, ...lists].flatMap((list) => [...childrenOf(list, 'Category'), ...childrenOf(list, 'SubCategory')]);
  return nodes.flatMap((each) => {
    const category = categoryOf(each, nestedIn);
    return category ? [category, ...flatCategories(each, category.id)] : flatCategories(each, nestedIn);
  });
};

/**
 * The tree of a flat list. A category whose parent is missing goes to the top. In a circle of parents the first
 * category found goes to the top, so that none is lost.
 */
export const categoryTree = (flat: Category[]): Category[] => {
  const byId = new Map<string, Category>();
  for (const category of flat) if (!byId.has(category.id)) byId.set(category.id, { ...category, children: [] });

  const parentOf = ({ parentId }: Category) => (parentId === null ? undefined : byId.get(parentId));
  const inCircle = (category: Category): boolean => {
    const met = new Set<Category>();
    for (let up = parentOf(category); up && !met.has(up); up = parentOf(up)) {
      if (up === category) return true;
      met.add(up);
    }
    return false;
  };

  const top: Category[] = [];
  for (const category of byId.values()) {
    const parent = inCircle(category) ? undefined : parentOf(category);
    if (!parent) category.parentId = null;
    (parent?.children ?? top).push(category);
  }
  return top;
};

/**
 * The store's categories as a tree.
 * @throws Problem after it has been reported: the shop goes on without categories (specification section 8).
 */
export const categories = (api: Api, signal?: AbortSignal): Promise<Category[]> =>
  reportFailure(api, call, async () => {
    const root = await xmlAnswer(api, call, api.client.GET('/categories', api.reading(signal)), 'categories');
    return categoryTree(flatCategories(root, null));
  });
