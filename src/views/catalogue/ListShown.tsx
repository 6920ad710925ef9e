import { chakra } from '@chakra-ui/react/styled-system';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { count } from '../../brand/format.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Press } from '../../ui/Press.tsx';
import { problemText } from '../problem-text.tsx';
import { CoverGrid } from './CoverGrid.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

const More = ({ actor }: { actor: Actor }): ReactElement | null => {
  const { i18n } = useLingui();
  const page = useSelector(actor, ({ context }) => context.page);
  const problem = useSelector(actor, ({ context }) => context.problem);
  const isLoading = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'loadingMore' }));
  const hasFailed = useSelector(actor, (snapshot) => snapshot.matches({ shown: 'moreFailed' }));
  if (page === null || page.next === null) return null;
  const seen = count(page.titles.length, i18n.locale);
  const total = page.total === null ? null : count(page.total, i18n.locale);
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
      <Press actor={actor} event={{ type: 'more.requested' }} look="outline" minWidth="14rem">
        {isLoading ? <Spinner aria-hidden="true" /> : null}
        {hasFailed ? <Trans>Retry</Trans> : <Trans>Show more</Trans>}
      </Press>
    </chakra.div>
  );
};

/** The titles that were found, and more of them on request. */
export const ListShown = ({ actor }: { actor: Actor }): ReactElement => {
  const titles = useSelector(actor, ({ context }) => context.page?.titles ?? []);
  return (
    <>
      <CoverGrid titles={titles} />
      <More actor={actor} />
    </>
  );
};
