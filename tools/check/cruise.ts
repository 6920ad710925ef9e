import { cruise, type ICruiseResult, type IForbiddenRuleType, type IModule } from 'dependency-cruiser';
import { closedTo, floors, serverLayers, toolLayers, type Floor } from './floors.ts';
import { noComplaints, type Outcome } from './step.ts';

const ours = '^(machines|src)/';
/**
 * Rules that hold for the page and for the server: what an address of the shop is, and one of e-mail, in what is paid where, how a
 * browser tells what was chosen.
 */
const plainRules =
  '^machines/model/(store/(appearance|choice-cookie|countries|country-list|currency|language-names|links|page-name-context|page-template|paid-in|painting)|catalogue/(campaign-rewards|list-form)|account/(custom-field|email)|buying/order-number|paths)\\.ts$';
const graphOnly = /^(machines|src|server|tools|tests)\//;

function mayUse(from: Floor, to: Floor): boolean {
  if (from === to) return true;
  if (closedTo[from.name]?.includes(to.name)) return false;
  return to.level < from.level;
}

function looksDown(floor: Floor): IForbiddenRuleType {
  const allowed = floors.filter((other) => mayUse(floor, other)).map((other) => other.path);
  return {
    name: `${floor.name} looks only down`,
    severity: 'error',
    from: { path: floor.path },
    to: { path: ours, pathNot: allowed },
  };
}

/** The layers of a folder: each of its places imports its own files and those of lower layers. */
const layered = { server: serverLayers, tools: toolLayers };

const placePath = (folder: string, place: string): string =>
  `^${folder}/${place.replace('.', '\\.')}${place.includes('.') ? '$' : '/'}`;

const layerRules = (): IForbiddenRuleType[] =>
  Object.entries(layered).flatMap(([folder, layers]) =>
    layers.flatMap((places, at) =>
      places.map((place) => {
        const lower = [place, ...layers.slice(0, at).flat()];
        return forbid(
          `${folder}/${place} looks only down`,
          { path: placePath(folder, place) },
          { path: `^${folder}/`, pathNot: lower.map((each) => placePath(folder, each)) },
        );
      }),
    ),
  );

type From = NonNullable<IForbiddenRuleType['from']>;
type To = Exclude<IForbiddenRuleType, { module: unknown }>['to'];

function forbid(name: string, from: From, to: To): IForbiddenRuleType {
  return { name, severity: 'error', from, to };
}

const rules: IForbiddenRuleType[] = [
  ...floors.map(looksDown),
  ...layerRules(),
  forbid('no cycles', {}, { circular: true }),
  forbid(
    "one flow never imports another's files",
    { path: '^src/flows/([^/]+)/' },
    { path: '^src/flows/[^/]+/', pathNot: '^src/flows/$1/' },
  ),
  forbid(
    'a view knows neither the client nor a port',
    { path: '^src/(flows|shell)/.*\\.tsx$' },
    { path: '^src/(client|storage|history|trace|reader)/|^src/(flows|shell)/.*\\b(ports?|calls?)\\.ts$' },
  ),
  // The words of `late` are not there yet when the landing page is.
  forbid(
    'the landing page and the frame do without late views',
    { path: '^src/(main\\.tsx$|shell/|flows/landing/)' },
    { path: '^src/views/late/', reachable: true },
  ),
  // The development start has a server beside its page; benches of large catalogues and the
  // operator's command write into its database; tables in docs are made from its own.
  forbid(
    'nothing imports the server',
    {
      pathNot:
        '^(server|tests|tools/tours)/|^tools/(check/tables/[\\w-]+|start/dev(-pages)?|store/(import/)?[\\w-]+|bench/(catalogue(-titles)?|big-store))\\.ts$',
    },
    { path: '^server/' },
  ),
  forbid('nothing imports the tests', { pathNot: '^tests/' }, { path: '^tests/' }),
  forbid(
    'the server shares generated types, the registry and plain rules alone',
    { path: '^server/' },
    {
      path: '^(machines|src|tools|tests)/',
      pathNot: `^src/client/wire/schema\\.gen\\.ts$|^machines/flows/(registry|routes)\\.ts$|${plainRules}`,
    },
  ),
  forbid('a plain rule imports nothing but others', { path: plainRules }, { path: '.', pathNot: plainRules }),
  forbid('what runs in a browser knows no Node module', { path: ours }, { dependencyTypes: ['core'] }),
  forbid('every import resolves', {}, { couldNotResolve: true, pathNot: '^virtual:|\\?(?:url|worker|raw)' }),
];

function packageComplaints(module: IModule, floor: Floor): string[] {
  const { packages } = floor;
  if (packages === undefined) return [];
  return module.dependencies
    .filter((dependency) => !/^[./]/.test(dependency.module) && !packages.includes(dependency.module))
    .map((dependency) => `${floor.name} may not use ${dependency.module}: ${module.source}`);
}

const layeredPlaces = Object.entries(layered).flatMap(([folder, layers]) =>
  layers.flat().map((place) => new RegExp(placePath(folder, place))),
);

function placeComplaints(module: IModule): string[] {
  const [folder = ''] = module.source.split('/');
  if (folder in layered)
    return layeredPlaces.some((place) => place.test(module.source)) ? [] : [`is in no layer of ${folder}: ${module.source}`];
  const places = floors.filter((floor) => new RegExp(floor.path).test(module.source));
  if (places.length === 1 && places[0] !== undefined) return packageComplaints(module, places[0]);
  return [`${places.length === 0 ? 'stands on no floor' : 'stands on two floors'}: ${module.source}`];
}

function isGraph(output: ICruiseResult | string): output is ICruiseResult {
  return typeof output !== 'string';
}

/** Cruises the tree under the working folder `root` and says which imports break the floors. */
export async function checkFloors(root: string, folders = ['machines', 'src', 'server', 'tools', 'tests']): Promise<Outcome> {
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      ruleSet: { forbidden: rules },
      validate: true,
      // Type-only imports count: a view that knows the wire's types knows the wire.
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '^dist/|^server/demo/media/' },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
      conditionNames: ['import', 'types', 'node'],
      exportsFields: ['exports'],
    },
  );
  if (!isGraph(output)) throw new Error('the cruiser gave a text instead of a graph');
  const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  const own = output.modules.filter((module) => graphOnly.test(module.source));
  const files = own.filter(
    ({ source }) => (new RegExp(ours).test(source) || source.startsWith('server/')) && !source.endsWith('.d.ts'),
  );
  return noComplaints([...broken, ...files.flatMap(placeComplaints)], `${own.length} files keep to their floors`);
}
