import { useSelector } from '@xstate/react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { categoriesMachine } from '../../../machines/app/categories.ts';
import { useAppActor } from '../../views/app-actor.ts';

export type CategoriesActor = ActorRefFrom<typeof categoriesMachine>;

/**
 * The categories' machine and state; `none` in a store without categories, and while the shop is
 * not open.
 */
export const useCategories = (): {
  actor: CategoriesActor | undefined;
  state: StateValueFrom<typeof categoriesMachine> | 'none';
} => {
  const app = useAppActor();
  const actor = useSelector(app, ({ children }) => children['categories'] as CategoriesActor | undefined);
  const hasNone = useSelector(app, ({ context }) => context.categories.length === 0);
  const value = useSelector(actor, (snapshot) => snapshot?.value) ?? 'none';
  return { actor, state: value === 'listed' && hasNone ? 'none' : value };
};
