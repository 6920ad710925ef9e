import { toReplacingValue } from '../../../machines/model/catalogue/list-form.ts';
import { toggleValue } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';

const getDescendantIds = ({ children }: Category): string[] =>
  children.flatMap((child) => [child.id, ...getDescendantIds(child)]);

/** Whether a category or one below it is chosen: then its subcategories are offered as well. */
export const isExpanded = (category: Category, chosen: readonly string[]): boolean =>
  [category.id, ...getDescendantIds(category)].some((id) => chosen.includes(id));

/**
 * The chosen categories after `id` was pressed. A category within a chosen one narrows it, and so
 * replaces it; when the last category within another is removed, the other is chosen again, so that
 * the pressed control stays in place.
 * @param offered the offered top categories
 */
export const toggleCategory = (offered: readonly Category[], chosen: readonly string[], id: string): string[] => {
  const findPath = (branch: readonly Category[]): Category[] => {
    for (const category of branch) {
      if (category.id === id) return [category];
      const pathBelow = findPath(category.children);
      if (pathBelow.length > 0) return [category, ...pathBelow];
    }
    return [];
  };
  const path = findPath(offered);
  const [category, parent] = path.toReversed();
  if (chosen.includes(id)) {
    const remainingIds = toggleValue(chosen, id);
    const isLast = parent !== undefined && !isExpanded(parent, remainingIds);
    return isLast ? toggleValue(remainingIds, parent.id) : remainingIds;
  }
  const replacedIds = new Set([...path.map((ancestor) => ancestor.id), ...(category ? getDescendantIds(category) : [])]);
  return toggleValue(
    chosen.filter((chosenId) => !replacedIds.has(chosenId)),
    id,
  );
};

/** Whether a category is one of the offered ones or a descendant of one. */
export const isWithin = (offered: readonly Category[], id: string): boolean =>
  offered.some((category) => category.id === id || getDescendantIds(category).includes(id));

/**
 * The value of a category's checkbox in the list's form: its id, with the chosen categories that a
 * press replaces, since the new choice may narrow or contain them.
 */
export const toFormValue = (offered: readonly Category[], chosen: readonly string[], id: string): string => {
  if (chosen.includes(id)) return id;
  const chosenAfter = toggleCategory(offered, chosen, id);
  return toReplacingValue(
    id,
    chosen.filter((chosenId) => !chosenAfter.includes(chosenId)),
  );
};
