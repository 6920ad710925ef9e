import { useSelector } from '@xstate/react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets } from '../../../machines/model/catalogue/list.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;
export type FacetsActor = ActorRefFrom<typeof facetsMachine>;

/** The child machine that loads a list's facet counts; it runs as long as the list's machine. */
export const getFacetsActor = (actor: Actor): FacetsActor => {
  const { facets } = actor.getSnapshot().children;
  if (facets === undefined) throw new Error('The catalogue machine has no child "facets".');
  return facets as FacetsActor;
};

/**
 * A list's facet counts; while they load, those of the previous list. Null until the first ones
 * have loaded.
 */
export const useFacets = (actor: Actor): Facets | null => useSelector(getFacetsActor(actor), ({ context }) => context.facets);

const getTotal = ({ context, value }: SnapshotFrom<typeof facetsMachine>): number | null =>
  context.total ?? (value.choices === 'counted' ? (context.facets?.total ?? null) : null);

/** The number of titles of the list; null if unknown. */
export const useTotal = (actor: Actor): number | null => {
  const isWaiting = useSelector(actor, (snapshot) => !(snapshot.matches('shown') || snapshot.matches('empty')));
  const total = useSelector(getFacetsActor(actor), getTotal);
  return isWaiting ? null : total;
};
