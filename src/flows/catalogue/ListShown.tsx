import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine, List } from '../../../machines/browsing/catalogue.ts';
import { count } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { problemText } from '../../views/problem-text.ts';
import { CoverGrid } from './CoverGrid.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

/** More comes by itself near the end; this is for those who get there without scrolling, and after a failure. */
const More = ({ actor, list }: { actor: Actor; list: List }): ReactElement | null => {
  const { i18n } = useLingui();
  const problem = useSelector(actor, ({ context }) => context.problem);
  const isArriving = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'arriving' }));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'moreFailed' }));
  if (!isArriving && !hasFailed && !list.hasMore) return null;
  const seen = count(list.count, i18n.locale);
  const total = list.total === null ? null : count(list.total, i18n.locale);
  return (
    <chakra.div display="grid" justifyItems="center" gap={4} mt={10}>
      {hasFailed && problem !== null ? <Notice tone="danger">{problemText(problem)}</Notice> : null}
      {total === null ? null : (
        <chakra.p color="inkMuted" fontSize="sm">
          <Trans>
            {seen} of {total}
          </Trans>
        </chakra.p>
      )}
      <EventButton actor={actor} event={{ type: 'more.requested' }} look="outline" minWidth="14rem">
        {isArriving ? <Spinner aria-hidden="true" /> : null}
        {hasFailed ? <Trans>Retry</Trans> : <Trans>Show more</Trans>}
      </EventButton>
    </chakra.div>
  );
};

/** The titles that were found, as far as they have come. */
export const ListShown = ({ actor }: { actor: Actor }): ReactElement | null => {
  const page = useSelector(actor, ({ context }) => context.page);
  const path = useSelector(actor, ({ context }) => context.route.path);
  if (page === null) return null;
  return (
    <>
      <CoverGrid key={path} actor={actor} list={page} />
      <More actor={actor} list={page} />
    </>
  );
};
