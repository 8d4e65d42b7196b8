{{- define "latchkey.labels" -}}
app.kubernetes.io/name: latchkey
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "latchkey.gateLabels" -}}
app.kubernetes.io/name: latchkey-gate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "latchkey.setUpLabels" -}}
app.kubernetes.io/name: latchkey-set-up
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "latchkey.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "latchkey.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "latchkey.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
