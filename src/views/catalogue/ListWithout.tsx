import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { DidNotCome } from '../DidNotCome.tsx';

type Actor = ActorRefFrom<typeof catalogueMachine>;

/** Nothing of the kind, and a way back to all. */
export const ListEmpty = ({ actor }: { actor: Actor }): ReactElement => {
  const search = useSelector(actor, ({ context }) => context.query.search);
  return (
    <Empty
      heading={search === '' ? <Trans>There are no titles here yet</Trans> : <Trans>No titles match “{search}”</Trans>}
      actions={
        <ButtonLink href="/all" look="outline">
          <Trans>See all titles</Trans>
        </ButtonLink>
      }
    >
      {search === '' ? (
        <Trans>Try another kind of title, or another category.</Trans>
      ) : (
        <Trans>Check the spelling, or try fewer words.</Trans>
      )}
    </Empty>
  );
};

/** The address names a category that the shop does not have. */
export const ListNotFound = (): ReactElement => (
  <Empty
    level={1}
    heading={<Trans>There is no such category</Trans>}
    actions={
      <ButtonLink href="/all">
        <Trans>See all titles</Trans>
      </ButtonLink>
    }
  >
    <Trans>It may have been renamed or taken down.</Trans>
  </Empty>
);

/** The list did not come. */
export const ListFailed = ({ actor }: { actor: Actor }): ReactElement => (
  <DidNotCome actor={actor} level={2} heading={<Trans>The titles did not come</Trans>} />
);
