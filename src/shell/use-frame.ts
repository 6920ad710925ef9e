import { useSelector } from '@xstate/react';
import type { ComponentProps, ComponentType } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import type { searchBoxMachine } from '../../machines/app/search-box.ts';
import type { frameMachine } from '../../machines/app/frame.ts';
import type { SearchField } from '../ui/SearchField.tsx';
import { useAppActor } from '../views/app-actor.ts';

export type FrameActor = ActorRefFrom<typeof frameMachine>;
export type SearchBoxActor = ActorRefFrom<typeof searchBoxMachine>;

/** What is drawn around a screen only after the first one is shown. */
export type FrameParts = {
  AccountMenu: ComponentType<{ frame: FrameActor }>;
  CookieNotice: ComponentType<{ frame: FrameActor }>;
  Footer: ComponentType<{ frame: FrameActor }>;
  Suggestions: ComponentType<{ searchBox: SearchBoxActor; id: string }>;
  searchProps: (
    searchBox: SearchBoxActor,
    snapshot: SnapshotFrom<typeof searchBoxMachine>,
    id: string,
  ) => Partial<ComponentProps<typeof SearchField>>;
};

let fetched: FrameParts | null = null;

/** Keeps the parts that have arrived. */
export const keepFrameParts = (parts: FrameParts): void => {
  fetched = parts;
};

/** The frame's machine and what is drawn of it; null until both are there. */
export const useFrame = (): ({ frame: FrameActor } & FrameParts) | null => {
  const frame = useSelector(useAppActor(), ({ children }) => children['frame'] as FrameActor | undefined);
  return frame && fetched ? { frame, ...fetched } : null;
};

/** Something of the frame's snapshot; undefined until its machine is there. */
export const useFramed = <Part>(select: (snapshot: SnapshotFrom<typeof frameMachine>) => Part): Part | undefined => {
  const frame = useSelector(useAppActor(), ({ children }) => children['frame'] as FrameActor | undefined);
  return useSelector(frame, (snapshot) => snapshot && select(snapshot));
};
