import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Status } from '../../ui/Status.tsx';
import { CodeForm } from '../../views/late/CodeForm.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import type { CartCheckoutProps } from './outcome-screens.tsx';

/** A code that makes the cart cheaper: the field for it, or that it is taken off and how to do without. */
export const CodeOff = ({ actor }: CartCheckoutProps): ReactElement => {
  const { quote, fields, problem } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  const isOff = quote?.off !== undefined;
  return (
    <chakra.div display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap={3} data-code>
      <Status fontWeight={600} color="success">
        {isOff ? <Trans>Your code is taken off.</Trans> : null}
      </Status>
      {isOff ? (
        <>
          <EventButton actor={actor} event={{ type: 'code.removed' }} look="outline" size="sm">
            <Trans>Remove the code</Trans>
          </EventButton>
          <span hidden ref={passFocus} />
        </>
      ) : (
        <chakra.div flex="1 1 100%">
          <CodeForm
            actor={actor}
            fields={fields}
            problem={problem}
            misfit={<Trans>This code takes nothing off the titles in your cart.</Trans>}
            busy={busy}
          />
        </chakra.div>
      )}
    </chakra.div>
  );
};
