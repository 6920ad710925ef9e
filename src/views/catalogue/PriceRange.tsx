import { chakra } from '@chakra-ui/react/styled-system';
import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { FormEvent, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { typedIn } from '../typed-in.ts';

const field = { type: 'number', inputMode: 'decimal', min: 0, max: 1_000_000, step: 'any' } as const;

/** What a title may cost, at least and at most; either may be left open. */
export const PriceRange = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { priceFrom, priceTo } = useSelector(actor, ({ context }) => context.query);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    actor.send({ type: 'price.submitted', from: typedIn(form, 'pricefrom'), to: typedIn(form, 'priceto') });
  };
  return (
    <chakra.form
      key={`${priceFrom} ${priceTo}`}
      aria-label={t`Price`}
      data-event="price.submitted"
      onSubmit={submit}
      display="flex"
      flexWrap="wrap"
      alignItems="flex-end"
      gap={3}
      css={{ '& input': { width: '8rem' } }}
    >
      <TextField {...field} name="pricefrom" label={<Trans>Price from</Trans>} defaultValue={priceFrom ?? ''} />
      <TextField {...field} name="priceto" label={<Trans>Price to</Trans>} defaultValue={priceTo ?? ''} />
      <Button type="submit" look="outline">
        <Trans>Apply</Trans>
      </Button>
    </chakra.form>
  );
};
