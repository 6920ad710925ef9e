import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { CodeForm } from '../../views/late/CodeForm.tsx';
import { passFocus } from '../../ui/pass-focus.ts';
import type { CheckoutProps } from './outcome-screens.tsx';

/** A code that takes something off the price: typed here, or taken back. */
export const CodeEntry = ({ actor }: CheckoutProps): ReactElement | null => {
  const { enableWebTitleRedeem } = useBrand().store;
  const { isReduced, withCredits, codeProblem = null, fields = {} } = useSelector(actor, ({ context }) => context);
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  if (withCredits === true) return null;
  if (isReduced === true)
    return (
      <div>
        <EventButton actor={actor} event={{ type: 'code.removed' }} look="quiet" size="sm">
          <Trans>Remove the code</Trans>
        </EventButton>
        <span hidden ref={passFocus} />
      </div>
    );
  if (!enableWebTitleRedeem) return null;
  return (
    <chakra.details css={{ '& summary': { cursor: 'pointer', minHeight: 12, alignContent: 'center', fontWeight: 600 } }}>
      <summary>
        <Trans>Have a code?</Trans>
      </summary>
      <chakra.div pt={2}>
        <CodeForm
          actor={actor}
          fields={fields}
          problem={codeProblem}
          misfit={<Trans>This code takes nothing off this title.</Trans>}
          busy={busy}
        />
      </chakra.div>
    </chakra.details>
  );
};
