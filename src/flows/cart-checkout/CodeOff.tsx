import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { CodeForm } from '../../views/late/CodeForm.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import type { CartCheckoutProps } from './outcome-screens.tsx';

/** A code that makes the cart cheaper: the field for it, or that it is taken off and how to do without. */
export const CodeOff = ({ actor }: CartCheckoutProps): ReactElement => {
  const { quote, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <chakra.div display="grid" gap={3} data-code>
      {quote?.off === undefined ? (
        <CodeForm
          actor={actor}
          fields={fields}
          problem={problem}
          misfit={<Trans>This code takes nothing off the titles in your cart.</Trans>}
          busy={busy}
        />
      ) : (
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3}>
          <chakra.p role="status" fontWeight={600} color="success">
            <Trans>Your code is taken off.</Trans>
          </chakra.p>
          <EventButton actor={actor} event={{ type: 'code.removed' }} look="outline" size="sm">
            <Trans>Remove the code</Trans>
          </EventButton>
          <span hidden ref={passFocus} />
        </chakra.div>
      )}
    </chakra.div>
  );
};
