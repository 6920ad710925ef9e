import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { notFoundMachine } from '../../../machines/still.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';

const WrongTurn = (): ReactElement => (
  <Message
    level={1}
    heading={<Trans>Oops! Wrong Turn</Trans>}
    actions={
      <ButtonLink href="/">
        <Trans>Back to Home</Trans>
      </ButtonLink>
    }
  >
    <Trans>We do not recognise this page. It may have moved, or never have been here.</Trans>
  </Message>
);

const screens: Record<StateValueFrom<typeof notFoundMachine>, ComponentType> = { shown: WrongTurn };

/** A path that leads nowhere, and the way back. */
export const NotFoundView = ({ actor }: { actor: ActorRefFrom<typeof notFoundMachine> }): ReactElement => {
  const value = useSelector(actor, (snapshot) => snapshot.value);
  const Screen = screens[value];
  return (
    <div data-flow="notFound" data-state={JSON.stringify(value)}>
      <Screen />
    </div>
  );
};
