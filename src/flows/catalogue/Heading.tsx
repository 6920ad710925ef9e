import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Skeleton } from '../../ui/Loading.tsx';

/** What the list is of and how many titles it has. */
export const Heading = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { listTexts } = useBrand();
  const { type, of, search } = useSelector(actor, ({ context }) => context.query);
  const name = useSelector(actor, ({ context }) => context.page?.categoryName ?? null);
  const counted = useSelector(actor, ({ context }) => context.page?.total ?? null);
  const isWaiting = useSelector(actor, (snapshot) => snapshot.matches('loading'));
  const isComing = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  // What never said its name is called by its kind.
  const heading = of.kind === 'all' || (name === null && !isComing) ? listTexts[type] : name;
  const total = isWaiting ? null : counted;
  const count = total === null ? '' : t`${plural(total, { one: '# title', other: '# titles' })}`;
  return (
    <div>
      <chakra.h1 fontSize="3xl" minHeight="2.7rem" overflowWrap="anywhere">
        {heading === null ? <Skeleton as="span" height="2.4rem" width="14rem" /> : heading}
      </chakra.h1>
      <chakra.p mt={1} minHeight="1.5rem" color="inkMuted" overflowWrap="anywhere" aria-live="polite">
        {search === '' ? count : [t`Search for “${search}”`, count].filter(Boolean).join(' · ')}
      </chakra.p>
    </div>
  );
};
