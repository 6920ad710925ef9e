import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type FormEvent, type ReactElement } from 'react';
import { searchPath } from '../../../machines/model/paths.ts';
import { chakra } from '../../ui/chakra.ts';
import { Icon } from '../../ui/Icon.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useApp, useAppActor } from '../../views/app-actor.ts';
import { readTyped } from '../../views/read-typed.ts';
import { useFrame, type SearchBoxActor } from '../frame/use-frame.ts';

/**
 * Searches the whole shop from every page; suggests titles, authors and categories during typing,
 * once the frame is loaded.
 */
export const SearchBox = (): ReactElement => {
  const { t } = useLingui();
  const app = useAppActor();
  const id = useId();
  const searchText = useApp(({ route }) => (route?.flow === 'catalogue' ? (route.query['search'] ?? '') : ''));
  const frame = useFrame();
  const searchBox = useSelector(frame?.actor, (snapshot) => snapshot?.children.searchBox as SearchBoxActor | undefined);
  const searchSnapshot = useSelector(searchBox, (snapshot) => snapshot);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const search = readTyped(event.currentTarget, 'search');
    app.send({ type: 'go', to: searchPath(search), replace: false });
  };
  return (
    <chakra.form
      role="search"
      action="/all"
      onSubmit={submit}
      data-event="go"
      position="relative"
      maxWidth={{ md: '30rem' }}
      ml={{ md: 'auto' }}
    >
      <SearchField
        // The key clears the typed text after a suggestion was chosen.
        key={`${searchText} ${searchSnapshot?.context.chosen ?? 0}`}
        name="search"
        label={t`Search the shop`}
        placeholder={t`Title or author`}
        defaultValue={searchText}
        icon={<Icon name="search" />}
        autoComplete="off"
        role="combobox"
        aria-expanded={false}
        aria-controls={id}
        {...(frame && searchBox && searchSnapshot ? frame.searchProps(searchBox, searchSnapshot, id) : {})}
      />
      {frame && searchBox ? <frame.Suggestions searchBox={searchBox} id={id} /> : null}
    </chakra.form>
  );
};
