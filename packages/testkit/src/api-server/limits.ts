/** Something that a real API server does and the simulated one does not. */
export interface Limit {
  readonly what: string
  /** What happens instead, and why that is acceptable in tests. */
  readonly because: string
}

/**
 * Everything that the simulated server cannot do. What is not here and not in the contract suites is an oversight: a test
 * that needs it belongs on the real server, and a line here.
 */
export const limits: readonly Limit[] = [
  {
    what: 'authentication and authorization',
    because: 'everybody may do everything; RBAC is tested on the real server',
  },
  {
    what: 'rules in CEL (x-kubernetes-validations), ValidatingAdmissionPolicy and matchConditions',
    because: 'they are stored and not evaluated; CRDs with rules are tested on the real server',
  },
  {
    what: 'calling webhooks over the network',
    because: 'handlers in the same process are asked instead; webhook configurations are only stored',
  },
  {
    what: 'types and unknown fields of built-in kinds',
    because: 'there is no schema of them here: what is sent is kept, and fieldValidation=Strict sees custom kinds only',
  },
  {
    what: 'validation of built-in kinds beyond names, labels, owners, finalizers and what cannot change',
    because: 'a pod that a real server refuses may be accepted; builders are tested on the real server',
  },
  {
    what: 'most defaults of built-in kinds',
    because:
      'those of pods, workloads, Services, Secrets, claims and namespaces are filled in; nulls and empty structs that Go writes are not',
  },
  {
    what: 'the taint not-ready on new nodes, labels and selectors of Jobs',
    because: 'nobody plays the controllers that work with them',
  },
  {
    what: 'conditions of disruption budgets',
    because: 'an eviction only counts down disruptionsAllowed; whoever plays the disruption controller writes the rest',
  },
  {
    what: 'one storage for events of both groups',
    because: 'an Event written as events.k8s.io is not seen in the core group',
  },
  {
    what: 'conversion between versions of a CRD',
    because: 'all versions have the same content; conversion webhooks are not asked',
  },
  { what: 'YAML, protobuf, CBOR and tables', because: 'only JSON is read and written' },
  { what: 'whole numbers above 2^53', because: 'JSON of JavaScript rounds them' },
  {
    what: 'log, exec, attach, port-forward, proxy, ephemeralcontainers, resize and token',
    because: 'there are no containers behind it',
  },
  {
    what: 'API priority and fairness, watch cache sizes, request size limits',
    because: 'overload is injected by a plan instead',
  },
  {
    what: 'the order of several refusals in one 422, and Go’s own words in parse errors',
    because: 'clients sort by reason and field',
  },
  { what: 'more than ten managers of one object in one entry', because: 'a real server joins the oldest ones' },
  {
    what: 'quotas, limit ranges, priority classes, pod security, service account tokens',
    because: 'admission plugins are not played, except for default tolerations',
  },
  {
    what: 'waiting up to three seconds for a resourceVersion of the future',
    because: 'it is refused at once with the same answer',
  },
  {
    what: 'the moment between the creation of a CRD and its being served',
    because: 'it is served at once; delays are injected by a plan',
  },
]
