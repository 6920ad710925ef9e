import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { type ReactElement, useCallback, useRef, type ComponentProps } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { listFields } from '../../../machines/model/catalogue/list-form.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';

type PriceFieldProps = Pick<ComponentProps<typeof TextField>, 'name' | 'label'> & { price: number | null };

/**
 * Shows a new price as soon as the list has one; the field and its focus stay. A text field: a
 * number field drops the decimal comma where the browser's language differs from the customer's.
 */
const PriceField = ({ price, ...field }: PriceFieldProps): ReactElement => {
  const text = price === null ? '' : String(price);
  const shown = useRef(text);
  const show = useCallback(
    (input: HTMLInputElement | null) => {
      // Input that was typed before hydration stays.
      if (input === null || shown.current === text) return;
      input.value = text;
      shown.current = text;
    },
    [text],
  );
  return <TextField {...field} ref={show} defaultValue={text} inputMode="decimal" autoComplete="off" maxLength={32} />;
};

/** The lowest and the highest price of a title; either may be left open. */
export const PriceFields = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  return (
    <>
      <PriceField name="pricefrom" label={<Trans>Price from</Trans>} price={priceFrom} />
      <PriceField name="priceto" label={<Trans>Price to</Trans>} price={priceTo} />
      <Button type="submit" {...listFields.typedPrices} look="outline" size="sm" gridColumn="1 / -1">
        <Trans>Apply</Trans>
      </Button>
    </>
  );
};
