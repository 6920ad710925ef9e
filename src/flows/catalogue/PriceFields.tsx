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
 * The field for a price. When the list gets another price, the field shows that without losing its
 * focus. It is a text field, because a number field drops the decimal comma where the browser's
 * language differs from the customer's.
 */
const PriceField = ({ price, ...field }: PriceFieldProps): ReactElement => {
  const text = price === null ? '' : String(price);
  const shownText = useRef(text);
  const updateInput = useCallback(
    (input: HTMLInputElement | null) => {
      // Input that was typed before hydration stays.
      if (input === null || shownText.current === text) return;
      input.value = text;
      shownText.current = text;
    },
    [text],
  );
  return <TextField {...field} ref={updateInput} defaultValue={text} inputMode="decimal" autoComplete="off" maxLength={32} />;
};

/** The fields for the lowest and the highest price of a title; either may be left empty. */
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
