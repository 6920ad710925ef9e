import { Trans } from '@lingui/react/macro';
import type { ComponentProps, ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { SendButton } from '../../views/MachineForm.tsx';

type Props = ComponentProps<typeof SendButton> & {
  /** The event that Cancel sends. */
  cancel?: string;
};

/** The buttons below a form of a panel: the one that submits it, and Cancel. */
export const FormAnswers = ({ actor, cancel = 'cancel.pressed', ...button }: Props): ReactElement => (
  <chakra.div display="flex" flexWrap="wrap" gap={3}>
    <SendButton actor={actor} {...button} />
    <EventButton actor={actor} event={{ type: cancel }} look="outline">
      <Trans>Cancel</Trans>
    </EventButton>
  </chakra.div>
);
