import { useSelector } from '@xstate/react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import type { facetsMachine } from '../../../machines/browsing/facets.ts';
import type { Facets } from '../../../machines/model/catalogue/list.ts';

type Actor = ActorRefFrom<typeof catalogueMachine>;
export type FacetsActor = ActorRefFrom<typeof facetsMachine>;

/** The machine that counts for a list; it lives as long as the list's. */
export const facetsOf = (actor: Actor): FacetsActor => {
  const { facets } = actor.getSnapshot().children;
  if (facets === undefined) throw new Error('A list counts what it can be narrowed by.');
  return facets as FacetsActor;
};

/** What the server counted, for this list or the one before; null where it has not counted. */
export const useFacets = (actor: Actor): Facets | null => useSelector(facetsOf(actor), ({ context }) => context.facets);

const totalIn = ({ context, value }: SnapshotFrom<typeof facetsMachine>): number | null =>
  context.total ?? (value.choices === 'counted' ? (context.facets?.total ?? null) : null);

/** How many titles the list has; null where nobody knows. */
export const useTotal = (actor: Actor): number | null => {
  const isWaiting = useSelector(actor, (snapshot) => !(snapshot.matches('shown') || snapshot.matches('empty')));
  const total = useSelector(facetsOf(actor), totalIn);
  return isWaiting ? null : total;
};
