import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Message.tsx';
import { DidNotCome } from '../../views/DidNotCome.tsx';

/** The shop does not have that title. */
export const TitleNotFound = (): ReactElement => (
  <Empty
    level={1}
    heading={<Trans>We do not have that title</Trans>}
    actions={
      <ButtonLink href="/all">
        <Trans>See all titles</Trans>
      </ButtonLink>
    }
  >
    <Trans>The address may be wrong, or the title is no longer in this shop.</Trans>
  </Empty>
);

/** The title did not come. */
export const TitleFailed = ({ actor }: { actor: ActorRefFrom<typeof titleMachine> }): ReactElement => (
  <DidNotCome actor={actor} heading={<Trans>The title did not come</Trans>} />
);
