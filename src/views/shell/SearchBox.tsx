import { chakra } from '@chakra-ui/react/styled-system';
import { useLingui } from '@lingui/react/macro';
import type { FormEvent, ReactElement } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useApp, useAppActor } from '../app-actor.ts';
import { typedIn } from '../typed-in.ts';

/** Searches the whole shop, wherever the customer is. */
export const SearchBox = (): ReactElement => {
  const { t } = useLingui();
  const actor = useAppActor();
  const searched = useApp(({ route }) => (route?.flow === 'catalogue' ? (route.query['search'] ?? '') : ''));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const search = typedIn(event.currentTarget, 'search');
    actor.send({ type: 'go', to: search === '' ? '/all' : `/all?search=${encodeURIComponent(search)}`, replace: false });
  };
  return (
    <chakra.form role="search" onSubmit={submit} data-event="go" maxWidth={{ md: '30rem' }} ml={{ md: 'auto' }}>
      <SearchField
        key={searched}
        name="search"
        label={t`Search the shop`}
        placeholder={t`Title, author or subject`}
        defaultValue={searched}
        icon={<Icon name="search" />}
      />
    </chakra.form>
  );
};
