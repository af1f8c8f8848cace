{{- define "millrace.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "millrace.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end -}}

{{- define "millrace.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote -}}
{{- end -}}

{{- define "millrace.env" -}}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "3000"
- name: SHUTDOWN_GRACE_MS
  value: {{ mul .Values.shutdownGraceSeconds 1000 | quote }}
{{- if eq .Values.store "sqlite" }}
- name: JOB_DB_PATH
  value: /data/jobs.db
{{- else }}
- name: JOB_DB_PATH
  value: ""
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.existingSecret }}, key: DATABASE_URL }
{{- end }}
- name: API_KEY
  valueFrom:
    secretKeyRef: { name: {{ .Values.existingSecret }}, key: API_KEY }
{{- if .Values.deployment }}
- name: DEPLOYMENT
  value: {{ .Values.deployment | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "millrace.security" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "millrace.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities: { drop: ["ALL"] }
{{- end -}}
