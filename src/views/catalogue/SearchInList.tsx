import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { FormEvent, ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { catalogueMachine } from '../../../machines/catalogue.ts';
import { Icon } from '../../ui/Icon.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { typedIn } from '../typed-in.ts';

/** Searches within the list that is open. */
export const SearchInList = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const search = useSelector(actor, ({ context }) => context.query.search);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const wanted = typedIn(event.currentTarget, 'within');
    actor.send({ type: 'search.submitted', search: wanted });
  };
  return (
    <form role="search" aria-label={t`In this list`} data-event="search.submitted" onSubmit={submit}>
      <SearchField
        key={search}
        name="within"
        label={t`Search in this list`}
        placeholder={t`Search in this list`}
        defaultValue={search}
        icon={<Icon name="search" size={18} />}
      />
    </form>
  );
};
