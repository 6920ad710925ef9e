import { inPlaceOf } from '../../../machines/model/catalogue/list-form.ts';
import { toggled } from '../../../machines/model/catalogue/list.ts';
import type { Category } from '../../../machines/model/catalogue/title.ts';

const idsBelow = ({ children }: Category): string[] => children.flatMap((child) => [child.id, ...idsBelow(child)]);

/** Whether a category or one below it is chosen: then those next below it stand for choice as well. */
export const isOpen = (category: Category, chosen: readonly string[]): boolean =>
  [category.id, ...idsBelow(category)].some((id) => chosen.includes(id));

/**
 * The chosen categories after `id` was pressed. One that lies in a chosen one narrows it, and so takes its place; when the
 * last one within another is taken away, the other is chosen again, so that what was pressed stays where it is.
 * @param offered the uppermost categories that stand for choice
 */
export const choose = (offered: readonly Category[], chosen: readonly string[], id: string): string[] => {
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
    const rest = toggled(chosen, id);
    const isLast = parent !== undefined && !isOpen(parent, rest);
    return isLast ? toggled(rest, parent.id) : rest;
  }
  const covered = new Set([...way.map((above) => above.id), ...(category ? idsBelow(category) : [])]);
  return toggled(
    chosen.filter((each) => !covered.has(each)),
    id,
  );
};

/** Whether a category is one of these or lies below one. */
export const isWithin = (offered: readonly Category[], id: string): boolean =>
  offered.some((category) => category.id === id || idsBelow(category).includes(id));

/** The value of a category's checkbox in the list's form: a new choice narrows or covers others. */
export const formValue = (offered: readonly Category[], chosen: readonly string[], id: string): string => {
  if (chosen.includes(id)) return id;
  const rest = choose(offered, chosen, id);
  return inPlaceOf(
    id,
    chosen.filter((each) => !rest.includes(each)),
  );
};
