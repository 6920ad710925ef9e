import type { Category } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { withFailureReport } from '../wire/report-failure.ts';
import { getChildren, getText, type XmlNode } from '../wire/xml-node.ts';

const callName = 'categories';

const toDashes = (name: string): string => name.toLowerCase().replace(/[\s/]+/g, '-');

const toCategory = (node: XmlNode, enclosingId: string | null): Category | null => {
  const id = getText(node, 'Id');
  const name = getText(node, 'Name');
  if (id === undefined || name === undefined) return null;
  const tagId = getText(node, 'TagId') ?? '';
  return {
    id,
    tagId,
    name,
    tag: tagId !== '',
    path: `${toDashes(name)}/${(tagId || id).toLowerCase()}`,
    key: id,
    parentId: getText(node, 'ParentId') ?? enclosingId,
    children: [],
  };
};

/**
 * All categories of an answer as a flat list, whether nested in their parents or not; categories
 * without an Id or a Name are left out.
 */
export const getCategories = (node: XmlNode, enclosingId: string | null): Category[] => {
  const lists = ['Categories', 'SubCategories', 'Children'].flatMap((name) => getChildren(node, name));
  const nodes = [node, ...lists].flatMap((list) => [...getChildren(list, 'Category'), ...getChildren(list, 'SubCategory')]);
  return nodes.flatMap((each) => {
    const category = toCategory(each, enclosingId);
    return category ? [category, ...getCategories(each, category.id)] : getCategories(each, enclosingId);
  });
};

/**
 * Builds a tree from a flat list. A category whose parent is missing goes to the top; in a cycle of
 * parents the first category found does, so that no category is lost.
 */
export const buildCategoryTree = (categories: Category[]): Category[] => {
  const byId = new Map<string, Category>();
  for (const category of categories) if (!byId.has(category.id)) byId.set(category.id, { ...category, children: [] });

  const findParent = ({ parentId }: Category) => (parentId === null ? undefined : byId.get(parentId));
  const isInCycle = (category: Category): boolean => {
    const visitedAncestors = new Set<Category>();
    for (let ancestor = findParent(category); ancestor && !visitedAncestors.has(ancestor); ancestor = findParent(ancestor)) {
      if (ancestor === category) return true;
      visitedAncestors.add(ancestor);
    }
    return false;
  };

  const roots: Category[] = [];
  for (const category of byId.values()) {
    const parent = isInCycle(category) ? undefined : findParent(category);
    if (!parent) category.parentId = null;
    (parent?.children ?? roots).push(category);
  }
  return roots;
};

/**
 * The store's categories as a tree.
 * @throws Problem after it has been reported: the shop continues without categories (specification
 * section 8).
 */
export const fetchCategories = (api: Api, signal?: AbortSignal): Promise<Category[]> =>
  withFailureReport(api, callName, async () => {
    const root = await readXmlResponse(api, callName, api.client.GET('/categories', api.readOptions(signal)), 'categories');
    return buildCategoryTree(getCategories(root, null));
  });
