import { toReplacingValue } from '../../../machines/model/catalogue/list-form.ts';
import { toggleValue } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';

const getDescendantIds = ({ children }: Category): string[] =>
  children.flatMap((child) => [child.id, ...getDescendantIds(child)]);

/** Whether a category or one below it is chosen: then its subcategories are offered as well. */
export const isOpen = (category: Category, chosen: readonly string[]): boolean =>
  [category.id, ...getDescendantIds(category)].some((id) => chosen.includes(id));

/**
 * The chosen categories after `id` was pressed. A category within a chosen one narrows it, and so
 * replaces it; when the last category within another is removed, the other is chosen again, so that
 * the pressed control stays in place.
 * @param offered the offered top categories
 */
export const toggleCategory = (offered: readonly Category[], chosen: readonly string[], id: string): string[] => {
  const wayTo = (branch: readonly Category[]): Category[] => {
    for (const category of branch) {
      if (category.id === id) return [category];
      const below = wayTo(category.children);
      if (below.length > 0) return [category, ...below];
    }
    return [];
  };
  const way = wayTo(offered);
  const [category, parent] = way.toReversed();
  if (chosen.includes(id)) {
    const rest = toggleValue(chosen, id);
    const isLast = parent !== undefined && !isOpen(parent, rest);
    return isLast ? toggleValue(rest, parent.id) : rest;
  }
  const covered = new Set([...way.map((above) => above.id), ...(category ? getDescendantIds(category) : [])]);
  return toggleValue(
    chosen.filter((each) => !covered.has(each)),
    id,
  );
};

/** Whether a category is one of these or a descendant of one. */
export const isWithin = (offered: readonly Category[], id: string): boolean =>
  offered.some((category) => category.id === id || getDescendantIds(category).includes(id));

/**
 * The value of a category's checkbox in the list's form: the whole selection after a press, since a
 * new choice may narrow or replace others.
 */
export const toFormValue = (offered: readonly Category[], chosen: readonly string[], id: string): string => {
  if (chosen.includes(id)) return id;
  const rest = toggleCategory(offered, chosen, id);
  return toReplacingValue(
    id,
    chosen.filter((each) => !rest.includes(each)),
  );
};
