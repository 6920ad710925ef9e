import { addresses, type Address } from './addresses.ts';

/** Things of the demo store for those that the table of addresses names. */
const inDemo: [RegExp, string][] = [
  [/\/id:book/, '/id:1001'],
  [/titleid=book/, 'titleid=1001'],
  [/9780306406157/, '9798647926913'],
  [/^\/all\/(.*)\bnovels$/, '/all/$1fiction-novels'],
  [/tag-novels/, 'fiction-novels'],
  [/printed/, 'spring-catalogue'],
  [/summer/, 'winter-evenings'],
  [/%C3%89clair-of-Winter/, 'Four-Walks-Before-Breakfast'],
  [/\/audio\/x\/sound/, '/audio/x/1020'],
  [/public\/about/, 'public/reading-circle'],
  [/private\/members/, 'private/customers-notes'],
];

/** Every address of the specification, in the demo store; the invalid store's own page is another story. */
export const everyAddress: readonly Address[] = addresses
  .filter(({ flow }) => flow !== 'invalid')
  .map((address) => ({ ...address, path: inDemo.reduce((path, [name, own]) => path.replace(name, own), address.path) }));
